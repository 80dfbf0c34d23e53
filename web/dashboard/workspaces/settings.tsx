import { Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useWorkspaceAccess } from '../session/access.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { DeleteByName } from '../ui/delete-by-name.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { Rename } from '../ui/rename.tsx'
import { duration } from '../usage/format.ts'
import { useWords } from '../words/words.tsx'
import { Export } from './export.tsx'
import { workspaceQuery, workspaceUsageQuery } from './queries.ts'

export function WorkspaceSettings(): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { wid } = useParams({ from: '/workspaces/$wid/settings' })
  const may = useWorkspaceAccess(wid)
  const { data, error, refetch } = useQuery(workspaceQuery(wid))
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const { record: workspace, etag } = data
  const rename = async (name: string) => {
    const changed = api.PATCH('/api/v2/workspaces/{wid}', {
      params: { path: { wid } },
      body: { name },
      headers: { ...(etag && { 'If-Match': etag }) },
    })
    try {
      await dataOf(changed)
      await client.invalidateQueries({ queryKey: ['me'] })
    } finally {
      await client.invalidateQueries({ queryKey: ['workspaces', wid] })
    }
  }
  return (
    <Page
      title={w.workspace.settings}
      above={
        <TextLink to="/workspaces/$wid" params={{ wid }}>
          <bdi>{workspace.name}</bdi>
        </TextLink>
      }
    >
      {may.has('workspace:manage') && <Rename title={w.workspace.name} name={workspace.name} save={rename} />}
      {may.has('workspace:export') && <Export workspaceId={wid} />}
      {may.has('workspace:delete') && <Removal workspace={workspace} />}
    </Page>
  )
}

function Removal({ workspace: { id, name } }: { workspace: Schemas['Workspace'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: usage } = useQuery(workspaceUsageQuery(id))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/v2/workspaces/{wid}', { params: { path: { wid: id } } })),
    onSuccess: async () => {
      await navigate({ to: '/' })
      client.removeQueries({ queryKey: ['workspaces', id] })
      await client.invalidateQueries()
    },
  })
  const erased = usage && w.workspace.erased({ ...usage, hours: duration(usage.audio_seconds) })
  return (
    <DeleteByName
      name={name}
      title={w.workspace.remove}
      help={w.workspace.removeHelp}
      erased={erased ?? null}
      kept={w.workspace.kept}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
