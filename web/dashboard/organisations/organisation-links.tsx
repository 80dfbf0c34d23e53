import { Divider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganisationAccess } from '../session/access.ts'
import { PageLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { organisationQuery } from './queries.ts'

/** The pages of the organisation that is open. */
export function OrganisationLinks({ organisationId }: { organisationId: string }): ReactNode {
  const w = useWords()
  const { data } = useQuery(organisationQuery(organisationId))
  const may = useOrganisationAccess(organisationId)
  const base = `/organisations/${organisationId}`
  return (
    <>
      <Divider my="sm" />
      <Text size="sm" fw={600} px="sm" mb={4} truncate>
        <bdi>{data?.record.name ?? '\u00a0'}</bdi>
      </Text>
      <PageLink to={base} label={w.organisation.overview} isExact />
      {may.has('organisation:members') && <PageLink to={`${base}/members`} label={w.organisation.members} />}
      {may.has('organisation:audit') && <PageLink to={`${base}/audit`} label={w.organisation.audit} />}
      {may.has('organisation:manage') && <PageLink to={`${base}/settings`} label={w.organisation.settings} />}
    </>
  )
}
