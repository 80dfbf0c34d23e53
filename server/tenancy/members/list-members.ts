import { z } from 'zod'
import { cursorKey, type Page, pageQuery, toPage } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import { type IdentityStore, ROLES } from '../../auth/index.ts'
import { profilesOf } from './profiles.ts'
import { type Member, toMember } from './schema.ts'
import { membersAfter, type Scope } from './scope.ts'

export const memberQuery = pageQuery.extend({
  role: z.enum(ROLES).optional().describe('Only members with this role'),
})

export async function listMembers(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  scope: Scope,
  query: z.output<typeof memberQuery>,
  store: IdentityStore,
): Promise<Page<z.output<typeof Member>>> {
  const after = cursorKey(query, (key) => key !== '' && !key.includes('\0'))
  const rows = await membersAfter(db, scope, { after, role: query.role, limit: query.limit + 1 })
  const userIds = rows.map(({ user_id }) => user_id)
  const profiles = await profilesOf(store, principal, userIds)
  const members = rows.map((row) => toMember(row, profiles.get(row.user_id)))
  return toPage(members, query.limit, ({ user_id }) => user_id)
}
