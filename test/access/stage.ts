import { type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import { type Client, clientOf } from './client.ts'
import {
  allIds,
  type Ids,
  introduce,
  inviteAll,
  newId,
  nobody,
  type Person,
  type Place,
  personOf,
  seedPlace,
  settle,
} from './fixtures.ts'
import { isSafe, methodOf, PROBE, pathOf } from './requests.ts'
import { type Caller, type Refusal, ROLES, type Route, type Target, type Tier } from './statement.ts'

/** What seeded places are like unless a test says otherwise: every route is there. */
export const WORLD = { tier: 'changemaker', gates: true, subExists: true } as const

/** Each role once on its own, where all combinations would take too long. */
export const EACH_ROLE: Caller[] = [
  'anonymous',
  nobody,
  { ...nobody, staff: true },
  ...ROLES.map((role) => ({ ...nobody, organisation: role })),
  ...ROLES.map((role) => ({ ...nobody, workspace: role })),
]

/** The service and a line to it. */
export interface House {
  backend: TestBackend
  client: Client
  close(): Promise<void>
}

export async function openHouse(options: Parameters<typeof startBackend>[0] = {}): Promise<House> {
  const backend = await startBackend({ enqueues: true, ...options })
  const client = clientOf(backend.url)
  const close = async () => {
    client.close()
    await backend.stop()
  }
  return { backend, client, close }
}

export async function cast({ backend, client }: House, standings: Caller[]): Promise<Person[]> {
  const people = await Promise.all(standings.map((standing) => personOf(backend, client, standing)))
  await introduce(backend, people)
  return people
}

export const call = (person: Person, route: Pick<Route, 'name'>, ids: Ids, body?: unknown): Promise<Reply> =>
  person.send(methodOf(route), pathOf(route, ids), body)

/** What is wrong with an answer, if anything. */
export function judge(reply: Reply, wanted: { status: number; code?: string }): string | undefined {
  if (reply.status === wanted.status && reply.body?.code === wanted.code) return undefined
  return `${reply.status} ${reply.body?.code ?? ''} instead of ${wanted.status} ${wanted.code ?? ''}`
}

/** Access was given: reading works, and a change gets as far as its body, which is refused. */
export const passed = (route: Route) =>
  isSafe(route) ? { status: route.success } : { status: 422, code: 'invalid_input' }

// An invitation is looked for together with its body, so that only an empty one shows the verdict.
export const probeOf = (route: Route, wanted: Refusal): unknown =>
  isSafe(route) || (route.asks.of === 'invitation' && wanted) ? undefined : PROBE

export interface Stage {
  people: Person[]
  own: Place
  /** Where nobody of the cast has a role. */
  foreign: Place
  idsOf(target: Target, person: Person): Ids
}

/** One cast with the same standing towards a living and a deleted target, and none towards a third. */
export async function setTheStage(
  house: House,
  standings: Caller[],
  tier: Tier = WORLD.tier,
): Promise<Stage> {
  const { backend } = house
  const [own, elsewhere, foreign, deleted] = await Promise.all([
    seedPlace(backend, { tier }),
    seedPlace(backend, { tier }),
    seedPlace(backend, { tier }),
    seedPlace(backend, { tier, deleted: true }),
  ])
  const people = await cast(house, standings)
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

/** The answer that every other 404 has to look like. */
export async function anyNotFound({ backend, client }: House): Promise<Reply> {
  const person = await personOf(backend, client, nobody)
  return person.send('GET', `/api/v2/organisations/${newId()}`)
}

/** The rows that one request left in the audit log. */
export async function deedsOf({ backend }: House, reply: Reply): Promise<Deed[]> {
  const { rows } = await backend.database.pool.query<Deed>('select * from audit_log where request_id = $1', [
    reply.headers.get('x-request-id'),
  ])
  return rows
}

export interface Deed {
  actor_id: string
  actor_staff: boolean
  action: string
  organisation_id: string | null
  workspace_id: string | null
}
