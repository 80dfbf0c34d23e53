import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { type Me, meQuery, myWorkspacesQuery } from './me.ts'

type MyOrganisation = Me['organisations'][number]
export type Role = Schemas['Member']['role']

/** All pages: the first comes with `me`. */
export const myOrganisationsQuery = queryOptions({
  queryKey: ['me', 'organisations'],
  queryFn: async ({ signal }) => {
    const all: MyOrganisation[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 200, ...(cursor && { cursor }) }
      const page: { data: MyOrganisation[]; next_cursor: string | null } = await dataOf(
        api.GET('/api/v2/me/organisations', { params: { query }, signal }),
      )
      all.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return all
  },
})

/** The user's permissions in one organisation or workspace. Empty while they load. */
export interface Access {
  /** Null: without a role there. */
  role: Role | null
  has(capability: string): boolean
}

const accessOf = (mine: { role: Role; capabilities: string[] } | undefined, me: Me | undefined): Access => ({
  role: mine?.role ?? null,
  // Staff pass every capability check of the API.
  has: (capability) => me?.staff === true || (mine?.capabilities.includes(capability) ?? false),
})

export function useOrganisationAccess(organisationId: string | undefined): Access {
  const { data: me } = useQuery(meQuery)
  const { data = [] } = useQuery(myOrganisationsQuery)
  return accessOf(
    data.find(({ id }) => id === organisationId),
    me,
  )
}

export function useWorkspaceAccess(workspaceId: string | undefined): Access {
  const { data: me } = useQuery(meQuery)
  const { data = [] } = useQuery(myWorkspacesQuery)
  return accessOf(
    data.find(({ id }) => id === workspaceId),
    me,
  )
}
