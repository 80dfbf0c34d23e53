import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import { joinedKey, peaksKey } from '../../server/conversations/index.ts'
import {
  type BackendOptions,
  newUser,
  type Reply,
  startBackend,
  type TestBackend,
} from '../support/backend.ts'
import { type Client, clientOf } from '../support/wire.ts'
import type { Caller, EffectiveRoles, Tier } from './statement.ts'

/** A backend, and a client for thousands of requests. */
export interface TestService {
  backend: TestBackend
  client: Client
  close(): Promise<void>
}

export async function startTestService(options: BackendOptions = {}): Promise<TestService> {
  const backend = await startBackend({ enqueues: true, ...options })
  const client = clientOf(backend.url)
  const close = async () => {
    client.close()
    await backend.stop()
  }
  return { backend, client, close }
}

/**
 * The ids that a path can contain. `did` and `replay_id` belong to the webhook, `user_id` is a member of the organisation and the
 * workspace, `eid` is an export of the workspace, `iid` an invitation to it, `sid` a segment of the conversation, and `jid` a failed job.
 */
const ID_NAMES = [
  ...(['oid', 'wid', 'pid', 'cid', 'sid', 'rid', 'eid', 'iid', 'user_id'] as const),
  ...(['invitation', 'webhook', 'did', 'replay_id', 'jid'] as const),
] as const
export type Ids = Record<(typeof ID_NAMES)[number], string>

/** The same id for every name. */
export const allIds = (id: string): Ids => idsBy(() => id)
const idsBy = (id: () => string) => Object.fromEntries(ID_NAMES.map((name) => [name, id()])) as Ids

export interface SeededTenant extends Ids {
  /** Owner of the organisation and the workspace, so that no caller is the last owner. */
  owner: string
}

/** The user whom requests add as a member: known to the identity store, and without any role. */
export const GUEST = newUser()

interface TenantOptions {
  isDeleted?: boolean
  tier?: Tier
}

export async function seedTenant(backend: TestBackend, options: TenantOptions = {}): Promise<SeededTenant> {
  const [tenant] = await seedTenants(backend, [options])
  return tenant as SeededTenant
}

/** More rows in one statement make it no cheaper. */
const TENANTS_PER_BATCH = 50

/**
 * Organisations, each with a workspace, a project, an invitation, an export, a conversation with audio, a report, and a webhook with one
 * delivery and a running replay. Written straight into the tables, many per statement: hundreds of tenants would take too long
 * through the API, and one after another.
 */
export async function seedTenants(
  backend: TestBackend,
  options: readonly TenantOptions[],
): Promise<SeededTenant[]> {
  const tenants: SeededTenant[] = []
  for (let start = 0; start < options.length; start += TENANTS_PER_BATCH)
    tenants.push(...(await seedBatch(backend, options.slice(start, start + TENANTS_PER_BATCH))))
  // Statements that were planned for empty tables read whole indexes: some took half a second each.
  if (tenants.length >= TENANTS_PER_BATCH) await backend.database.pool.query('analyze')
  return tenants
}

async function seedBatch(backend: TestBackend, options: readonly TenantOptions[]): Promise<SeededTenant[]> {
  const tenants = options.map((): SeededTenant => ({ ...idsBy(newId), owner: newUser() }))
  await Promise.all(tenants.map((tenant) => writeAudio(backend, tenant)))
  const given = tenants.map((tenant, index) => {
    const { isDeleted = false, tier = 'changemaker' } = options[index] as TenantOptions
    return { ...tenant, isDeleted, tier, deleted: isDeleted ? 'now()' : 'null' }
  })
  const rows = (row: (tenant: (typeof given)[number]) => string) => given.map(row).join(', ')
  const document = (rid: string) => JSON.stringify({ ...DOCUMENT, id: rid })
  await backend.database.pool.query(
    `insert into identity.users (id)
       values ${rows(({ owner, user_id }) => `('${owner}'), ('${user_id}')`)}, ('${GUEST}') on conflict do nothing;
     insert into organisations (id, name, deleted_at)
       values ${rows(({ oid, deleted }) => `('${oid}', 'Organisation', ${deleted})`)};
     insert into workspaces (id, organisation_id, name, tier, deleted_at)
       values ${rows(({ wid, oid, tier, deleted }) => `('${wid}', '${oid}', 'Workspace', '${tier}', ${deleted})`)};
     insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords, deleted_at)
       values ${rows(({ pid, wid, deleted }) => `('${pid}', '${wid}', 'Project', 'en', '[]', true, false, false, '[]', '[]', ${deleted})`)};
     insert into organisation_members (organisation_id, user_id, role)
       values ${rows(({ oid, owner, user_id }) => `('${oid}', '${owner}', 'owner'), ('${oid}', '${user_id}', 'observer')`)};
     insert into workspace_members (workspace_id, user_id, role)
       values ${rows(({ wid, owner, user_id }) => `('${wid}', '${owner}', 'owner'), ('${wid}', '${user_id}', 'observer')`)};
     insert into invitations (id, organisation_id, workspace_id, email, role, invited_by, expires_at)
       values ${rows(({ invitation, iid, oid, wid, owner }) =>
         [
           `('${invitation}', '${oid}', null::uuid, '${invitation}@example.com', 'member', '${owner}', now() + interval '1 day')`,
           `('${iid}', '${oid}', '${wid}', '${iid}@example.com', 'member', '${owner}', now() + interval '1 day')`,
         ].join(', '),
       )};
     insert into exports (id, workspace_id, audio, expires_at)
       values ${rows(({ eid, wid }) => `('${eid}', '${wid}', true, now() + interval '1 day')`)};
     insert into conversations (id, project_id, status, source, finished_at, audio)
       values ${rows(({ cid, pid }) => `('${cid}', '${pid}', 'done', 'portal_audio', now(), '{"revision": 1, "content_type": "audio/webm"}')`)};
     insert into chunks (conversation_id, seq, digest, bytes, state, duration_ms)
       values ${rows(({ cid }) => `('${cid}', 0, '', 0, 'transcribed', 1000)`)};
     insert into segments (conversation_id, chunk_seq, position, start_ms, end_ms, text, id, speaker)
       values ${rows(({ cid, sid }) => `('${cid}', 0, 0, 0, 1000, 'Said', '${sid}', 'A')`)};
     insert into reports (id, project_id, status, language, created_by, progress, document, version)
       values ${rows(({ rid, pid }) => `('${rid}', '${pid}', 'ready', 'en', 'somebody', 1, '${document(rid)}', 2)`)};
     insert into report_versions (report_id, number, document, created_at)
       values ${rows(({ rid }) => `('${rid}', 1, '${document(rid)}', now())`)};
     insert into jobs.job (id, name, data, state, group_id, completed_on)
       values ${rows(({ jid, cid, pid }) => `('${jid}', 'join_audio', '{"conversation_id": "${cid}", "revision": 1}', 'failed', '${pid}', now())`)}`,
  )
  await seedWebhooks(backend, given)
  return tenants
}

async function writeAudio({ filesFolder }: TestBackend, { cid }: Ids): Promise<void> {
  const audio = join(filesFolder, 'files', joinedKey(cid, 1))
  await mkdir(dirname(audio), { recursive: true })
  await writeFile(audio, 'audio')
  const peaks = join(filesFolder, 'files', peaksKey(cid, 1))
  await writeFile(peaks, JSON.stringify({ duration_seconds: 1, peaks: [0] }))
}

const DOCUMENT = {
  title: 'Report',
  own_title: false,
  language: 'en',
  created_at: '2026-01-31T12:00:00.000Z',
  method: 'extractive',
  conversation_count: 0,
  introduction: '',
  sections: [],
  conversations: [],
}

/** No server listens there, so that a delivery fails without delay. */
export const UNREACHABLE_URL = 'http://127.0.0.1:9/'
const NOON = '2026-01-31T12:00:00.000Z'

type WebhookIds = Pick<Ids, 'pid' | 'webhook' | 'did' | 'replay_id'> & Pick<TenantOptions, 'isDeleted'>

/** Webhooks, each with a missed delivery of one event and a running replay. */
export async function seedWebhooks(
  { database: { pool } }: TestBackend,
  ids: readonly WebhookIds[],
): Promise<void> {
  const type = 'report.generated'
  const webhooks = ids.map((one) => ({ ...one, event: newId() }))
  const rows = (row: (webhook: (typeof webhooks)[number]) => string) => webhooks.map(row).join(', ')
  const body = (id: string) => JSON.stringify({ id, type, timestamp: NOON, version: 1, data: {} })
  await pool.query(
    `insert into webhooks (id, project_id, url, events, deleted_at)
       values ${rows(({ webhook, pid, isDeleted }) => `('${webhook}', '${pid}', '${UNREACHABLE_URL}', '{${type}}', ${isDeleted ? 'now()' : 'null'})`)};
     insert into endpoint_queues (webhook_id) values ${rows(({ webhook }) => `('${webhook}')`)};
     insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
       values ${rows(({ event, pid }) => `('${event}', '${pid}', '${type}', '${newId()}', '${NOON}', '${body(event)}', '${body(event)}')`)};
     insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status,
         created_at, due_at, expires_at, finished_at)
       values ${rows(({ did, webhook, event }) => `('${did}', '${webhook}', '${event}', '${type}', '${NOON}', 'event', 'full', 'missed', '${NOON}', '${NOON}', '${NOON}', '${NOON}')`)};
     insert into replays (id, webhook_id, selection, events, since, until, state, total)
       values ${rows(({ replay_id, webhook }) => `('${replay_id}', '${webhook}', 'all', '{${type}}', '${NOON}', '${NOON}', 'running', 0)`)}`,
  )
}

/** A caller who has an e-mail address in the identity store. */
export interface Person {
  effectiveRoles: Caller
  userId: string
  email: string
  send: Client['send']
}

/** New users with these roles in the tenant. */
export async function newPeople<const R extends readonly Caller[]>(
  { backend, client }: TestService,
  roleSets: R,
  tenant?: Ids,
): Promise<{ -readonly [K in keyof R]: Person }> {
  const people = await Promise.all(
    roleSets.map(async (effectiveRoles): Promise<Person> => {
      const userId = newUser()
      const person = { effectiveRoles, userId, email: `${userId}@example.com`, send: client.send }
      if (effectiveRoles === 'anonymous') return person
      const token = await backend.token({ id: userId, admin_access: effectiveRoles.staff })
      const authorization = `Bearer ${token}`
      const send: Client['send'] = (method, path, body, headers) =>
        client.send(method, path, body, { authorization, ...headers })
      return { ...person, send }
    }),
  )
  await backend.database.pool.query(
    'insert into identity.users (id, email) select * from unnest($1::uuid[], $2::text[])',
    [people.map(({ userId }) => userId), people.map(({ email }) => email)],
  )
  if (tenant) await grantRoles(backend, people, tenant)
  return people as { -readonly [K in keyof R]: Person }
}

export const grantRoles = (
  backend: TestBackend,
  people: readonly Pick<Person, 'effectiveRoles' | 'userId'>[],
  tenant: Ids,
): Promise<void> =>
  addMembers(
    backend,
    people.map((person) => ({ person, tenant })),
  )

async function addMembers(
  { database: { pool } }: TestBackend,
  members: readonly { person: Pick<Person, 'effectiveRoles' | 'userId'>; tenant: Ids }[],
): Promise<void> {
  for (const [scope, key] of [
    ['organisation', 'oid'],
    ['workspace', 'wid'],
  ] as const) {
    const rows = members.flatMap(({ person: { effectiveRoles, userId }, tenant }) => {
      const role = effectiveRoles === 'anonymous' ? null : effectiveRoles[scope]
      return role === null ? [] : [{ id: tenant[key], user_id: userId, role }]
    })
    await pool.query(
      `insert into ${scope}_members (${scope}_id, user_id, role)
       select id, user_id, role from json_to_recordset($1) as m (id uuid, user_id text, role text)`,
      [JSON.stringify(rows)],
    )
  }
}

/** A person in a tenant of their own, for tests that change it. */
export interface TestTarget {
  person: Person
  tenant: SeededTenant
}

/** Gives each of these callers a new tenant, in which they have their roles. */
export async function newTargets<C extends { effectiveRoles: Caller; tier?: Tier }>(
  service: TestService,
  callers: readonly C[],
): Promise<(C & TestTarget)[]> {
  const tenants = await seedTenants(service.backend, callers)
  const people = await newPeople(
    service,
    callers.map(({ effectiveRoles }) => effectiveRoles),
  )
  const targets = callers.map((caller, index) => ({
    ...caller,
    person: people[index] as Person,
    tenant: tenants[index] as SeededTenant,
  }))
  await addMembers(service.backend, targets)
  return targets
}

/** Invites everybody to an organisation in which they have no role. */
export async function inviteAll(
  { database: { pool } }: TestBackend,
  people: readonly Person[],
  { oid, owner }: SeededTenant,
  state: 'pending' | 'declined' = 'pending',
): Promise<Map<Person, string>> {
  const ids = new Map(people.map((person) => [person, newId()]))
  await pool.query(
    `insert into invitations (id, organisation_id, email, role, invited_by, expires_at, state)
     select id, $1, email, 'member', $2, now() + interval '1 day', $3 from unnest($4::uuid[], $5::text[]) as p (id, email)`,
    [oid, owner, state, [...ids.values()], people.map(({ email }) => email)],
  )
  return ids
}

/** All rows of all tables but the leases of processes, to see that nothing changed. Where staff read successfully, their audit entries are left out. */
export async function everything(
  { database: { pool } }: TestBackend,
  { withReads = true } = {},
): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'parley'
       and table_name <> 'api_processes' order by 1`,
  )
  const content = tables.map(async ({ name }) => {
    const isFiltered = name === 'audit_log' && !withReads
    const where = isFiltered ? String.raw`where action !~ '\.(read|list|stream)$'` : ''
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from parley."${name}" t ${where} order by to_jsonb(t)::text`,
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(content))
}

/** Everything in a response that a caller can compare: all but the request id and the time. */
export function comparable(reply: Reply): string {
  const headers = [...reply.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id').sort()
  const id = reply.headers.get('x-request-id')
  return JSON.stringify([reply.status, headers, id === null ? reply.text : reply.text.replaceAll(id, '…')])
}

/** Limits concurrency, so that sockets and connections suffice. */
export async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: 24 }, worker))
}

export function describeCaller(caller: Caller): string {
  if (caller === 'anonymous') return caller
  const { organisation, workspace, staff } = caller
  return `${staff ? 'staff, ' : ''}${organisation ?? 'no role'} in the organisation, ${workspace ?? 'no role'} in the workspace`
}

export const NO_ROLES: EffectiveRoles = { organisation: null, workspace: null, staff: false }
export const STAFF: EffectiveRoles = { ...NO_ROLES, staff: true }
export const OWNER: EffectiveRoles = { organisation: 'owner', workspace: 'owner', staff: false }
