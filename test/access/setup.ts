import { type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import { type Client, clientOf } from './client.ts'
import {
  allIds,
  type Ids,
  introduce,
  inviteAll,
  newId,
  noRoles,
  type Person,
  personOf,
  type SeededTenant,
  seedTenant,
  settle,
} from './fixtures.ts'
import { isSafe, methodOf, PROBE, pathOf } from './requests.ts'
import { type Caller, type ErrorResponse, ROLES, type Route, type Target, type Tier } from './statement.ts'

/** The state of seeded tenants by default: every record exists. */
export const DEFAULT_STATE = { tier: 'changemaker', gates: true, subExists: true } as const

/** Each role once on its own, where all combinations would take too long. */
export const EACH_ROLE: Caller[] = [
  'anonymous',
  noRoles,
  { ...noRoles, staff: true },
  ...ROLES.map((role) => ({ ...noRoles, organisation: role })),
  ...ROLES.map((role) => ({ ...noRoles, workspace: role })),
]

/** The service and a client. */
export interface TestService {
  backend: TestBackend
  client: Client
  close(): Promise<void>
}

export async function startTestService(
  options: Parameters<typeof startBackend>[0] = {},
): Promise<TestService> {
  const backend = await startBackend({ enqueues: true, ...options })
  const client = clientOf(backend.url)
  const close = async () => {
    client.close()
    await backend.stop()
  }
  return { backend, client, close }
}

export async function createPeople({ backend, client }: TestService, roleSets: Caller[]): Promise<Person[]> {
  const people = await Promise.all(
    roleSets.map((effectiveRoles) => personOf(backend, client, effectiveRoles)),
  )
  await introduce(backend, people)
  return people
}

export const call = (person: Person, route: Pick<Route, 'name'>, ids: Ids, body?: unknown): Promise<Reply> =>
  person.send(methodOf(route), pathOf(route, ids), body)

/** Describes how a response differs from the expected one; undefined if it does not. */
export function mismatch(reply: Reply, wanted: { status: number; code?: string }): string | undefined {
  if (reply.status === wanted.status && reply.body?.code === wanted.code) return undefined
  return `${reply.status} ${reply.body?.code ?? ''} instead of ${wanted.status} ${wanted.code ?? ''}`
}

/** The result of a request with access: a read succeeds, and a change fails only at its invalid body. */
export const passed = (route: Route) =>
  isSafe(route) ? { status: route.success } : { status: 422, code: 'invalid_input' }

// An invitation is found together with its body, so that only an empty body shows the decision.
export const probeOf = (route: Route, wanted: ErrorResponse): unknown =>
  isSafe(route) || (route.asks.of === 'invitation' && wanted) ? undefined : PROBE

export interface TestTargets {
  people: Person[]
  own: SeededTenant
  /** A tenant in which no caller has a role. */
  foreign: SeededTenant
  idsOf(target: Target, person: Person): Ids
}

/** Callers with the same roles for an existing and a deleted target, and none for a third. */
export async function setUpTargets(
  service: TestService,
  roleSets: Caller[],
  tier: Tier = DEFAULT_STATE.tier,
): Promise<TestTargets> {
  const { backend } = service
  const [own, elsewhere, foreign, deleted] = await Promise.all([
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier }),
    seedTenant(backend, { tier, deleted: true }),
  ])
  const people = await createPeople(service, roleSets)
  await settle(backend, people, own)
  await settle(backend, people, deleted)
  // What holds them lives on: only the workspace and the project themselves are gone.
  await backend.database.pool.query('update workspaces set organisation_id = $2 where id = $1', [
    deleted.wid,
    own.oid,
  ])
  await moveProject(backend, deleted.pid, own.wid)
  const pending = await inviteAll(backend, people, elsewhere)
  const answered = await inviteAll(backend, people, elsewhere, 'declined')

  const idsOf = (target: Target, person: Person): Ids => {
    if (target === 'own') return { ...own, invitation: pending.get(person) as string }
    if (target === 'foreign') return foreign
    if (target === 'deleted') return { ...deleted, invitation: answered.get(person) as string }
    return allIds(target === 'unknown' ? newId() : 'not-a-uuid')
  }
  return { people, own, foreign, idsOf }
}

export async function moveProject({ database }: TestBackend, pid: string, wid: string): Promise<void> {
  await database.pool.query('update projects set workspace_id = $2 where id = $1', [pid, wid])
}

/** The response that every other 404 must equal. */
export async function anyNotFound({ backend, client }: TestService): Promise<Reply> {
  const person = await personOf(backend, client, noRoles)
  return person.send('GET', `/api/v2/organisations/${newId()}`)
}

/** The rows that one request left in the audit log. */
export async function auditEntriesOf({ backend }: TestService, reply: Reply): Promise<AuditEntry[]> {
  const { rows } = await backend.database.pool.query<AuditEntry>(
    'select * from audit_log where request_id = $1',
    [reply.headers.get('x-request-id')],
  )
  return rows
}

export interface AuditEntry {
  actor_id: string
  actor_staff: boolean
  action: string
  organisation_id: string | null
  workspace_id: string | null
}
