import { Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useOrganisationAccess } from '../session/access.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { DeleteByName } from '../ui/delete-by-name.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { Rename } from '../ui/rename.tsx'
import { duration } from '../usage/format.ts'
import { useWords } from '../words/words.tsx'
import { organisationQuery, organisationUsageQuery } from './queries.ts'

export function OrganisationSettings(): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { oid } = useParams({ from: '/organisations/$oid/settings' })
  const may = useOrganisationAccess(oid)
  const { data, error, refetch } = useQuery(organisationQuery(oid))
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const { record: organisation, etag } = data
  const rename = async (name: string) => {
    const changed = api.PATCH('/api/v2/organisations/{oid}', {
      params: { path: { oid } },
      body: { name },
      headers: { ...(etag && { 'If-Match': etag }) },
    })
    try {
      await dataOf(changed)
      await client.invalidateQueries({ queryKey: ['me'] })
    } finally {
      await client.invalidateQueries({ queryKey: ['organisations', oid] })
    }
  }
  return (
    <Page
      title={w.organisation.settings}
      above={
        <TextLink to="/organisations/$oid" params={{ oid }}>
          <bdi>{organisation.name}</bdi>
        </TextLink>
      }
    >
      {may.has('organisation:manage') && (
        <Rename title={w.organisation.name} name={organisation.name} save={rename} />
      )}
      {may.has('organisation:delete') && <Removal organisation={organisation} />}
    </Page>
  )
}

function Removal({ organisation: { id, name } }: { organisation: Schemas['Organisation'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: usage } = useQuery(organisationUsageQuery(id))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/v2/organisations/{oid}', { params: { path: { oid: id } } })),
    onSuccess: async () => {
      await navigate({ to: '/' })
      client.removeQueries({ queryKey: ['organisations', id] })
      await client.invalidateQueries()
    },
  })
  const erased = usage && w.organisation.erased({ ...usage, hours: duration(usage.audio_seconds) })
  return (
    <DeleteByName
      name={name}
      title={w.organisation.remove}
      help={w.organisation.removeHelp}
      erased={erased ?? null}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
