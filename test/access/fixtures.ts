import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import { joinedKey } from '../../server/conversations/index.ts'
import { newUser, type Reply, type TestBackend } from '../support/backend.ts'
import type { Client } from './client.ts'
import type { Caller, EffectiveRoles, Role, Tier } from './statement.ts'

/** The ids that a path can name. */
export interface Ids {
  oid: string
  wid: string
  pid: string
  invitation: string
  webhook: string
  /** Of a delivery of that webhook. */
  did: string
  /** Of a replay of that webhook. */
  replay_id: string
  /** Of a member of both the organisation and the workspace. */
  user_id: string
  /** Of an export of the workspace. */
  eid: string
  cid: string
  rid: string
}

export interface SeededTenant extends Ids {
  /** Owner of both, so that no caller is the last owner. */
  owner: string
}

/** A caller with an e-mail address at the identity store. */
export interface Person {
  effectiveRoles: Caller
  userId: string
  email: string
  send: Client['send']
}

/** Written straight into the tables: hundreds of tenants would take too long through the API. */
export async function seedTenant(
  backend: TestBackend,
  options: { deleted?: boolean; tier?: Tier; role?: Role } = {},
): Promise<SeededTenant> {
  const { pool } = backend.database
  const place = {
    oid: newId(),
    wid: newId(),
    pid: newId(),
    invitation: newId(),
    eid: newId(),
    user_id: newUser(),
    owner: newUser(),
  }
  const gone = options.deleted ? new Date() : null
  await backend.introduce([place.owner, place.user_id, GUEST])
  await pool.query(
    `with o as (insert into organisations (id, name, deleted_at) values ($1, 'Organisation', $4)),
       w as (insert into workspaces (id, organisation_id, name, tier, deleted_at) values ($2, $1, 'Workspace', $5, $4)),
       p as (insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords, deleted_at)
         values ($3, $2, 'Project', 'en', '[]', true, false, false, '[]', '[]', $4)),
       om as (insert into organisation_members (organisation_id, user_id, role) values ($1, $6, 'owner'), ($1, $7, $8)),
       wm as (insert into workspace_members (workspace_id, user_id, role) values ($2, $6, 'owner'), ($2, $7, $8)),
       e as (insert into exports (id, workspace_id, audio, expires_at) values ($11, $2, true, now() + interval '1 day'))
     insert into invitations (id, organisation_id, email, role, invited_by, expires_at)
       values ($9, $1, $10, 'member', $6, now() + interval '1 day')`,
    [
      place.oid,
      place.wid,
      place.pid,
      gone,
      options.tier ?? 'changemaker',
      place.owner,
      place.user_id,
      options.role ?? 'observer',
      place.invitation,
      `${place.invitation}@example.com`,
      place.eid,
    ],
  )
  return {
    ...place,
    ...(await seedWebhook(backend, place.pid, options)),
    ...(await seedConversation(backend, place.pid)),
  }
}

/** A conversation that is done, and a report that is ready. */
async function seedConversation(
  { database: { pool }, filesFolder }: TestBackend,
  pid: string,
): Promise<Pick<Ids, 'cid' | 'rid'>> {
  const ids = { cid: newId(), rid: newId() }
  const file = join(filesFolder, 'files', joinedKey(ids.cid, 1))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'audio')
  await pool.query(
    `with c as (insert into conversations (id, project_id, status, source, finished_at, audio)
       values ($1, $2, 'done', 'portal_audio', now(), '{"revision": 1, "content_type": "audio/webm"}'))
     insert into reports (id, project_id, status, language, created_by, progress)
       values ($3, $2, 'ready', 'en', 'somebody', 1)`,
    [ids.cid, pid, ids.rid],
  )
  return ids
}

/** Where a test's webhooks point to. Nothing answers there, so that a delivery fails at once. */
export const UNREACHABLE_URL = 'http://127.0.0.1:9/'

type WebhookIds = Pick<Ids, 'webhook' | 'did' | 'replay_id'>

/** A webhook with one event behind it, whose delivery is over and whose replay runs. */
export async function seedWebhook(
  { database: { pool } }: TestBackend,
  pid: string,
  options: { deleted?: boolean } = {},
): Promise<WebhookIds> {
  const ids = { webhook: newId(), did: newId(), replay_id: newId() }
  const eventId = newId()
  const body = JSON.stringify({
    id: eventId,
    type: 'report.generated',
    timestamp: NOON,
    version: 1,
    data: {},
  })
  await pool.query(
    `with w as (insert into webhooks (id, project_id, url, events, deleted_at)
         values ($1, $2, $3, '{report.generated}', $4)),
       l as (insert into endpoint_queues (webhook_id) values ($1)),
       e as (insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
         values ($5, $2, 'report.generated', $6, $7, $8, $8)),
       d as (insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status,
           created_at, due_at, expires_at, finished_at)
         values ($9, $1, $5, 'report.generated', $7, 'event', 'full', 'missed', $7, $7, $7, $7))
     insert into replays (id, webhook_id, selection, events, since, until, state, total)
       values ($10, $1, 'all', '{report.generated}', $7, $7, 'running', 0)`,
    [
      ids.webhook,
      pid,
      UNREACHABLE_URL,
      options.deleted ? new Date() : null,
      eventId,
      newId(),
      NOON,
      Buffer.from(body),
      ids.did,
      ids.replay_id,
    ],
  )
  return ids
}

const NOON = '2026-01-31T12:00:00.000Z'

/** The same in every place of a path. */
export const allIds = (id: string): Ids => ({
  oid: id,
  wid: id,
  pid: id,
  invitation: id,
  webhook: id,
  did: id,
  replay_id: id,
  user_id: id,
  eid: id,
  cid: id,
  rid: id,
})

/** Whom requests add as a member: known to the identity store, and without a role anywhere. */
export const GUEST = newUser()

export async function personOf(
  backend: TestBackend,
  client: Client,
  effectiveRoles: Caller,
): Promise<Person> {
  const userId = newUser()
  const person = { effectiveRoles, userId, email: `${userId}@example.com` }
  if (effectiveRoles === 'anonymous') return { ...person, send: client.send }
  await backend.introduce([userId])
  const token = await backend.token({ id: userId, ...(effectiveRoles.staff ? { admin_access: true } : {}) })
  const authorization = `Bearer ${token}`
  const send: Client['send'] = (method, path, body, headers) =>
    client.send(method, path, body, { authorization, ...headers })
  return { ...person, send }
}

/** Gives everybody their roles in the place. */
export async function settle(
  { database: { pool } }: TestBackend,
  people: Pick<Person, 'effectiveRoles' | 'userId'>[],
  place: Ids,
): Promise<void> {
  const rolesIn = (kind: 'organisation' | 'workspace') =>
    people.flatMap(({ effectiveRoles, userId }) => {
      const role = effectiveRoles === 'anonymous' ? null : effectiveRoles[kind]
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

/** Tells the identity store their e-mail addresses. */
export async function introduce({ database: { pool } }: TestBackend, people: Person[]): Promise<void> {
  await pool.query(
    `insert into identity.users (id, email) select * from unnest($1::uuid[], $2::text[])
     on conflict (id) do update set email = excluded.email`,
    [people.map((person) => person.userId), people.map((person) => person.email)],
  )
}

/** Into an organisation in which no caller has a role. */
export async function inviteAll(
  { database: { pool } }: TestBackend,
  people: Person[],
  into: SeededTenant,
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

/** Without the traces of staff who may read what was said, and did. */
export const withoutReadings = (state: Record<string, unknown[]>): Record<string, unknown[]> => ({
  ...state,
  audit_log: (state['audit_log'] ?? []).filter(
    (entry) => !/\.(read|list|stream)$/.test((entry as { action: string }).action),
  ),
})

/** What a caller can compare: all of the answer but the request's own id and the time. */
export function trace(reply: Reply): string {
  const headers = [...reply.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id').sort()
  const id = reply.headers.get('x-request-id')
  return JSON.stringify([reply.status, headers, id === null ? reply.text : reply.text.replaceAll(id, '…')])
}

/** Limits concurrency, so that sockets and connections suffice. */
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
  return `${staff ? 'staff, ' : ''}${organisation ?? 'no role'} in the organisation, ${workspace ?? 'no role'} in the workspace`
}

export const noRoles: EffectiveRoles = { organisation: null, workspace: null, staff: false }
export { newId }
