import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type Me = Schemas['Me']
type MyWorkspace = Me['workspaces'][number]

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/v2/me', { signal })),
})

/** All pages: the first comes with `me`. */
export const myWorkspacesQuery = queryOptions({
  queryKey: ['me', 'workspaces'],
  queryFn: async ({ signal }) => {
    const all: MyWorkspace[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 200, ...(cursor && { cursor }) }
      const page: { data: MyWorkspace[]; next_cursor: string | null } = await dataOf(
        api.GET('/api/v2/me/workspaces', { params: { query }, signal }),
      )
      all.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return all
  },
})

/** The user's capabilities in a workspace, as the API names them. Empty while they load. */
export function useCapabilities(workspaceId: string | undefined): ReadonlySet<string> {
  const { data = [] } = useQuery(myWorkspacesQuery)
  return new Set(data.find(({ id }) => id === workspaceId)?.capabilities)
}
