import { randomUUID } from 'node:crypto'
import { newUser, type Reply, type TestBackend } from '../support/backend.ts'
import type { Client } from './client.ts'
import type { Caller, Role, Standing, Tier } from './statement.ts'

/** The ids that a path can name. */
export interface Ids {
  oid: string
  wid: string
  pid: string
  /** Of an invitation. */
  id: string
  /** Of a member of both the organisation and the workspace. */
  user_id: string
}

export interface Place extends Ids {
  /** In both, beside the callers, so that nobody of them is the last owner. */
  owner: string
}

/** Somebody with a standing, who can speak and has an e-mail address at the identity store. */
export interface Person {
  standing: Caller
  userId: string
  email: string
  send: Client['send']
}

/** Written straight into the tables: hundreds of worlds would take too long through the API. */
export async function seedPlace(
  { database: { pool } }: TestBackend,
  options: { deleted?: boolean; tier?: Tier; role?: Role } = {},
): Promise<Place> {
  const place = {
    oid: newId(),
    wid: newId(),
    pid: newId(),
    id: newId(),
    user_id: newUser(),
    owner: newUser(),
  }
  const gone = options.deleted ? new Date() : null
  await pool.query(
    `with o as (insert into organisations (id, name, deleted_at) values ($1, 'Organisation', $4)),
       w as (insert into workspaces (id, organisation_id, name, tier, deleted_at) values ($2, $1, 'Workspace', $5, $4)),
       p as (insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords, deleted_at)
         values ($3, $2, 'Project', 'en', '[]', true, false, false, '[]', '[]', $4)),
       om as (insert into organisation_members (organisation_id, user_id, role) values ($1, $6, 'owner'), ($1, $7, $8)),
       wm as (insert into workspace_members (workspace_id, user_id, role) values ($2, $6, 'owner'), ($2, $7, $8))
     insert into invitations (id, organisation_id, email, role, invited_by, expires_at)
       values ($9, $1, $10, 'member', $6, now() + interval '1 day')`,
    [
      place.oid,
      place.wid,
      place.pid,
      gone,
      options.tier ?? 'free',
      place.owner,
      place.user_id,
      options.role ?? 'observer',
      place.id,
      `${place.id}@example.com`,
    ],
  )
  return place
}

export async function personOf(backend: TestBackend, client: Client, standing: Caller): Promise<Person> {
  const userId = newUser()
  const person = { standing, userId, email: `${userId}@example.com` }
  if (standing === 'anonymous') return { ...person, send: client.send }
  const token = await backend.token({ id: userId, ...(standing.staff ? { admin_access: true } : {}) })
  const authorization = `Bearer ${token}`
  const send: Client['send'] = (method, path, body, headers) =>
    client.send(method, path, body, { authorization, ...headers })
  return { ...person, send }
}

/** Gives everybody their roles in the place. */
export async function settle(
  { database: { pool } }: TestBackend,
  people: Pick<Person, 'standing' | 'userId'>[],
  place: Ids,
): Promise<void> {
  const rolesIn = (kind: 'organisation' | 'workspace') =>
    people.flatMap(({ standing, userId }) => {
      const role = standing === 'anonymous' ? null : standing[kind]
      return role === null ? [] : [{ userId, role }]
    })
  await grant('organisation', place.oid)
  await grant('workspace', place.wid)

  async function grant(kind: 'organisation' | 'workspace', id: string): Promise<void> {
    const rows = rolesIn(kind)
    const [users, roles] = [rows.map((row) => row.userId), rows.map((row) => row.role)]
    await pool.query(
      `insert into ${kind}_members (${kind}_id, user_id, role)
       select $1, * from unnest($2::text[], $3::text[])`,
      [id, users, roles],
    )
  }
}

/** Makes them known to the identity store, which alone knows whose an e-mail address is. */
export async function introduce({ database: { pool } }: TestBackend, people: Person[]): Promise<void> {
  await pool.query('insert into identity.users (id, email) select * from unnest($1::uuid[], $2::text[])', [
    people.map((person) => person.userId),
    people.map((person) => person.email),
  ])
}

/** Into an organisation that nobody of the cast has to do with. */
export async function inviteAll(
  { database: { pool } }: TestBackend,
  people: Person[],
  into: Place,
  state: 'pending' | 'declined' = 'pending',
): Promise<Map<Person, string>> {
  const ids = new Map(people.map((person) => [person, newId()]))
  await pool.query(
    `insert into invitations (id, organisation_id, email, role, invited_by, expires_at, state)
     select *, now() + interval '1 day', $6 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])`,
    [
      [...ids.values()],
      people.map(() => into.oid),
      people.map((person) => person.email),
      people.map(() => 'member'),
      people.map(() => into.owner),
      state,
    ],
  )
  return ids
}

/** All rows of all tables, to see that nothing changed. */
export async function everything({ database: { pool } }: TestBackend): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'parley' order by 1`,
  )
  const content = tables.map(async ({ name }) => {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from parley."${name}" t order by to_jsonb(t)::text`,
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(content))
}

/** What a caller can compare: all of the answer but the request's own id and the time. */
export function trace(reply: Reply): string {
  const headers = [...reply.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id').sort()
  const id = reply.headers.get('x-request-id')
  return JSON.stringify([reply.status, headers, id === null ? reply.text : reply.text.replaceAll(id, '…')])
}

/** With no more than this many under way, so that sockets and connections last. */
export async function inParallel<T>(items: T[], work: (item: T) => Promise<void>, most = 24): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: most }, worker))
}

export function describe(caller: Caller): string {
  if (caller === 'anonymous') return caller
  const { organisation, workspace, staff } = caller
  return `${staff ? 'staff, ' : ''}${organisation ?? 'nobody'} in the organisation, ${workspace ?? 'nobody'} in the workspace`
}

export const nobody: Standing = { organisation: null, workspace: null, staff: false }
export const newId = (): string => randomUUID()
