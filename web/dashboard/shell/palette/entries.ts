import { useIsFetching, useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { myOrganisationsQuery } from '../../session/access.ts'
import { meQuery, myWorkspacesQuery } from '../../session/me.ts'
import { useWords } from '../../words/words.tsx'
import { matches } from './matches.ts'
import { recentPages } from './recent.ts'

export interface Entry {
  path: string
  label: string
  kind: string
}

/** Workspaces of which the projects are offered. */
const MAX_WORKSPACES = 20
/** Searched for conversations, reports and webhooks: the one that is open, or the last ones. */
const MAX_SEARCHED = 3
const MAX_SHOWN = 30
const MIN_SEARCH = 2

/** A part of the query key of every request that the palette makes. */
const PALETTE = 'palette'

const projectsOf = (wid: string) => ({
  queryKey: ['workspaces', wid, 'projects', PALETTE],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    dataOf(
      api.GET('/api/v2/workspaces/{wid}/projects', {
        params: { path: { wid }, query: { limit: 200 } },
        signal,
      }),
    ),
})

/** The pages that match the input, recent ones first. `searched` is the input at the last pause in typing. */
export function useEntries(typed: string, searched: string): { entries: Entry[]; isSearching: boolean } {
  const w = useWords()
  const { kinds } = w.palette
  const { data: organisations = [] } = useQuery(myOrganisationsQuery)
  const { data: workspaces = [] } = useQuery(myWorkspacesQuery)
  const readable = workspaces
    .filter(({ capabilities }) => capabilities.includes('project:read'))
    .slice(0, MAX_WORKSPACES)
  const lists = useQueries({ queries: readable.map(({ id }) => projectsOf(id)) })
  const projects = lists.flatMap(({ data }) => data?.data ?? [])
  const found = useFound(searched.trim(), projects).filter(
    ({ label, kind }) => typed === searched || matches(typed, label, kind),
  )
  const pages = usePages()
  const recent = recentPages().map(({ path, title }) => ({ path, label: title, kind: kinds.recent }))
  const all = [
    ...recent,
    ...projects.map(({ id, name }) => ({ path: `/projects/${id}`, label: name, kind: kinds.project })),
    ...pages,
    ...workspaces.map(({ id, name }) => ({ path: `/workspaces/${id}`, label: name, kind: kinds.workspace })),
    ...organisations.map(({ id, name }) => ({
      path: `/organisations/${id}`,
      label: name,
      kind: kinds.organisation,
    })),
  ].filter(({ label, kind }) => matches(typed, label, kind))
  const isFetching = useIsFetching({ predicate: ({ queryKey }) => queryKey.includes(PALETTE) }) > 0
  // The open page is not offered, and a page that is both recent and a project comes once.
  const paths = new Set([location.pathname])
  const entries = [...found, ...all].filter(({ path }) => !paths.has(path) && paths.add(path))
  return { entries: entries.slice(0, MAX_SHOWN), isSearching: isFetching || typed !== searched }
}

/** Pages without a record: of the open project, of the user, and of staff. */
function usePages(): Entry[] {
  const w = useWords()
  const { pid } = useParams({ strict: false })
  const { data: me } = useQuery(meQuery)
  const page = (path: string, label: string): Entry => ({ path, label, kind: w.palette.kinds.page })
  const ofProject = pid
    ? [
        page(`/projects/${pid}/conversations`, w.shell.conversations),
        page(`/projects/${pid}/reports`, w.shell.reports),
        page(`/projects/${pid}/webhooks`, w.shell.webhooks),
      ]
    : []
  const ofStaff = ['organisations', 'workspaces', 'webhooks', 'jobs', 'audit'] as const
  return [
    ...ofProject,
    page('/', w.shell.home),
    page('/profile', w.profile.title),
    ...(me?.staff
      ? [
          page('/staff', w.staff.title),
          ...ofStaff.map((name) => page(`/staff/${name}`, w.palette.ofStaff(w.staff[name]))),
        ]
      : []),
  ]
}

interface KnownProject {
  id: string
  name: string
  workspace_id: string
}

/** Conversations by their words, reports and webhooks by their names. */
function useFound(typed: string, projects: KnownProject[]): Entry[] {
  const w = useWords()
  const { kinds } = w.palette
  const { pid } = useParams({ strict: false })
  const { data: workspaces = [] } = useQuery(myWorkspacesQuery)
  const isSearching = typed.length >= MIN_SEARCH
  const lately = recentPages().flatMap(({ path }) => /^\/projects\/([\w-]+)/.exec(path)?.[1] ?? [])
  const searched = pid ? [pid] : [...new Set([...lately, ...projects.map(({ id }) => id)])]
  const ids = isSearching ? searched.slice(0, MAX_SEARCHED) : []
  const mayWebhooks = (id: string): boolean => {
    const wid = projects.find((one) => one.id === id)?.workspace_id
    return workspaces.some((one) => one.id === wid && one.capabilities.includes('workspace:webhooks'))
  }
  const conversations = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['projects', id, 'conversations', PALETTE, typed],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v2/projects/{pid}/conversations', {
            params: { path: { pid: id }, query: { q: typed, limit: 5 } },
            signal,
          }),
        ),
    })),
  })
  const reports = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['projects', id, 'reports', PALETTE],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v2/projects/{pid}/reports', {
            params: { path: { pid: id }, query: { limit: 100 } },
            signal,
          }),
        ),
    })),
  })
  const webhooks = useQueries({
    queries: ids.filter(mayWebhooks).map((id) => ({
      queryKey: ['projects', id, 'webhooks', PALETTE],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(api.GET('/api/projects/{pid}/webhooks', { params: { path: { pid: id } }, signal })),
    })),
  })
  return [
    ...conversations.flatMap(({ data }) =>
      (data?.data ?? []).map(({ id, project_id, title, participant_name }) => ({
        path: `/projects/${project_id}/conversations/${id}`,
        label: title ?? participant_name ?? w.common.untitled,
        kind: kinds.conversation,
      })),
    ),
    ...reports.flatMap(({ data }) =>
      (data?.data ?? [])
        .filter(({ title }) => matches(typed, title, kinds.report))
        .map(({ id, project_id, title }) => ({
          path: `/projects/${project_id}/reports/${id}`,
          label: title ?? w.common.untitled,
          kind: kinds.report,
        })),
    ),
    ...webhooks.flatMap(({ data }) =>
      (data ?? [])
        .filter(({ name, url }) => matches(typed, name, url, kinds.webhook))
        .map(({ id, project_id, name, url }) => ({
          path: `/projects/${project_id}/webhooks/${id}`,
          label: name ?? url,
          kind: kinds.webhook,
        })),
    ),
  ]
}
