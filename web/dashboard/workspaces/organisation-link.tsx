import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { organisationQuery } from '../organisations/queries.ts'
import { useOrganisationAccess } from '../session/access.ts'
import { TextLink } from '../ui/page-link.tsx'

/** Nothing for users without a role in the organisation: its name is not theirs to know. */
export function OrganisationLink({ organisationId }: { organisationId: string }): ReactNode {
  const mayRead = useOrganisationAccess(organisationId).has('organisation:read')
  const { data } = useQuery({ ...organisationQuery(organisationId), enabled: mayRead })
  if (!data) return null
  return (
    <TextLink to="/organisations/$oid" params={{ oid: organisationId }}>
      <bdi>{data.record.name}</bdi>
    </TextLink>
  )
}
