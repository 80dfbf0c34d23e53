import { newId } from '../../platform/ids.ts'
import { atEnd } from '../support/at-end.ts'
import type { Reply } from '../support/backend.ts'
import {
  allIds,
  grantRoles,
  type Ids,
  inviteAll,
  NO_ROLES,
  newPeople,
  OWNER,
  type Person,
  type SeededTenant,
  STAFF,
  seedTenant,
  startTestService,
} from './fixtures.ts'
import { INVALID_BODY, isSafe, methodOf, pathOf } from './requests.ts'
import { type Caller, type ErrorResponse, ROLES, type Route, type Target, type Tier } from './statement.ts'

/** One service for all files of access.test.ts, because each start takes seconds. */
export const service = await startTestService({ allowedOrigins: ['https://app.test'] })
export const { backend, client } = service
atEnd(() => service.close())

// Tests of earlier files already run while later files are imported: only this file can await fixtures.
/** A tenant, and people with roles in it, for tests that change nothing. */
export const tenant = await seedTenant(backend)
export const otherTenant = await seedTenant(backend)
export const [anonymous, stranger, owner, observer, staff] = await newPeople(
  service,
  ['anonymous', NO_ROLES, OWNER, { organisation: 'observer', workspace: 'observer', staff: false }, STAFF],
  tenant,
)
/** With an invitation of the owner to the other tenant. */
export const ownIds: Ids = {
  ...tenant,
  invitation: (await inviteAll(backend, [owner], otherTenant)).get(owner) as string,
}

/** The state of seeded tenants by default: every record exists. */
export const DEFAULT_STATE = { tier: 'changemaker', gates: true, subExists: true } as const

/** Each role once on its own, where all combinations would take too long. */
export const EACH_ROLE: Exclude<Caller, 'anonymous'>[] = [
  NO_ROLES,
  STAFF,
  ...ROLES.map((role) => ({ ...NO_ROLES, organisation: role })),
  ...ROLES.map((role) => ({ ...NO_ROLES, workspace: role })),
]
export const EACH_CALLER: Caller[] = ['anonymous', ...EACH_ROLE]

export const call = (person: Person, route: Pick<Route, 'name'>, ids: Ids, body?: unknown): Promise<Reply> =>
  person.send(methodOf(route), pathOf(route, ids), body)

/** Describes how a response differs from the expected one; undefined if it does not. */
export function mismatch(reply: Reply, wanted: { status: number; code?: string }): string | undefined {
  // A conversation has a field of this name, too.
  const code = reply.status < 400 ? undefined : reply.body?.code
  if (reply.status === wanted.status && code === wanted.code) return undefined
  return `${reply.status} ${code ?? ''} instead of ${wanted.status} ${wanted.code ?? ''}`
}

/** The result of a request with access: a read succeeds, and a change fails only at its invalid body. */
export const granted = (route: Route) =>
  isSafe(route) ? { status: route.success } : { status: 422, code: 'invalid_input' }

// An invitation is looked up after its body was read, so that only an empty body shows the decision.
export const probeOf = (route: Route, wanted: ErrorResponse): unknown =>
  isSafe(route) || (route.requires.kind === 'invitation' && wanted) ? undefined : INVALID_BODY

export interface TestTargets {
  people: Person[]
  own: SeededTenant
  /** A tenant in which no caller has a role. */
  foreign: SeededTenant
  idsOf(target: Target, person: Person): Ids
}

/** Callers with the same roles for an existing and a deleted target, and none for a third. */
export async function setUpTargets(
  roleSets: Caller[],
  tier: Tier = DEFAULT_STATE.tier,
): Promise<TestTargets> {
  const [own, inviting, foreign, deleted] = await Promise.all([
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier, isDeleted: true }),
  ])
  const people = await newPeople(service, roleSets, own)
  await grantRoles(backend, people, deleted)
  // Only the workspace and the project themselves are deleted, not the organisation and the workspace above them.
  await backend.database.pool.query('update workspaces set organisation_id = $2 where id = $1', [
    deleted.wid,
    own.oid,
  ])
  await moveProject(deleted.pid, own.wid)
  const pending = await inviteAll(backend, people, inviting)
  const declined = await inviteAll(backend, people, inviting, 'declined')

  const idsOf = (target: Target, person: Person): Ids => {
    if (target === 'own') return { ...own, invitation: pending.get(person) as string }
    if (target === 'foreign') return foreign
    if (target === 'deleted') return { ...deleted, invitation: declined.get(person) as string }
    return allIds(target === 'unknown' ? newId() : 'not-a-uuid')
  }
  return { people, own, foreign, idsOf }
}

export const moveProject = (pid: string, wid: string): Promise<unknown> =>
  backend.database.pool.query('update projects set workspace_id = $2 where id = $1', [pid, wid])

/** The response that every other 404 must equal. */
export async function anyNotFound(): Promise<Reply> {
  const [person] = await newPeople(service, [NO_ROLES])
  return person.send('GET', `/api/v2/organisations/${newId()}`)
}

/** The audit entries of one request. */
export async function auditEntriesOf(reply: Reply): Promise<AuditEntry[]> {
  const { rows } = await backend.database.pool.query<AuditEntry>(
    'select * from audit_log where request_id = $1',
    [reply.headers.get('x-request-id')],
  )
  return rows
}

interface AuditEntry {
  actor_id: string
  actor_staff: boolean
  action: string
  organisation_id: string | null
  workspace_id: string | null
}
