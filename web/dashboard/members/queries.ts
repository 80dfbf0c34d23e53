import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import type { Role } from '../session/access.ts'

/** An organisation or a workspace: both have members, with the same routes. */
export interface Scope {
  kind: 'organisation' | 'workspace'
  id: string
  name: string
}

type ScopeId = Pick<Scope, 'kind' | 'id'>
export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']

const page = (cursor: string) => ({ limit: 50, ...(cursor && { cursor }) })

export const membersQuery = ({ kind, id }: ScopeId) =>
  infiniteQueryOptions({
    queryKey: ['members', id],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        kind === 'organisation'
          ? api.GET('/api/v2/organisations/{oid}/members', {
              params: { path: { oid: id }, query: page(pageParam) },
              signal,
            })
          : api.GET('/api/v2/workspaces/{wid}/members', {
              params: { path: { wid: id }, query: page(pageParam) },
              signal,
            }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const invitationsQuery = ({ kind, id }: ScopeId) =>
  infiniteQueryOptions({
    queryKey: ['members', id, 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        kind === 'organisation'
          ? api.GET('/api/v2/organisations/{oid}/invitations', {
              params: { path: { oid: id }, query: page(pageParam) },
              signal,
            })
          : api.GET('/api/v2/workspaces/{wid}/invitations', {
              params: { path: { wid: id }, query: page(pageParam) },
              signal,
            }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** By e-mail address an invitation is created; by id the user becomes a member. */
export const addMember = (
  { kind, id }: ScopeId,
  body: { email: string; role: Role } | { user_id: string; role: Role },
): Promise<Member | Invitation> =>
  dataOf<Member | Invitation>(
    kind === 'organisation'
      ? api.POST('/api/v2/organisations/{oid}/members', { params: { path: { oid: id } }, body })
      : api.POST('/api/v2/workspaces/{wid}/members', { params: { path: { wid: id } }, body }),
  )

export const changeRole = ({ kind, id }: ScopeId, user_id: string, role: Role): Promise<Member> =>
  dataOf(
    kind === 'organisation'
      ? api.PATCH('/api/v2/organisations/{oid}/members/{user_id}', {
          params: { path: { oid: id, user_id } },
          body: { role },
        })
      : api.PATCH('/api/v2/workspaces/{wid}/members/{user_id}', {
          params: { path: { wid: id, user_id } },
          body: { role },
        }),
  )

export const removeMember = ({ kind, id }: ScopeId, user_id: string): Promise<unknown> =>
  dataOf<unknown>(
    kind === 'organisation'
      ? api.DELETE('/api/v2/organisations/{oid}/members/{user_id}', {
          params: { path: { oid: id, user_id } },
        })
      : api.DELETE('/api/v2/workspaces/{wid}/members/{user_id}', {
          params: { path: { wid: id, user_id } },
        }),
  )

export const withdrawInvitation = ({ kind, id }: ScopeId, iid: string): Promise<unknown> =>
  dataOf<unknown>(
    kind === 'organisation'
      ? api.DELETE('/api/v2/organisations/{oid}/invitations/{iid}', { params: { path: { oid: id, iid } } })
      : api.DELETE('/api/v2/workspaces/{wid}/invitations/{iid}', { params: { path: { wid: id, iid } } }),
  )
