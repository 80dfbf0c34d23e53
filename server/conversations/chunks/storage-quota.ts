import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import { Problem } from '../../api/problems.ts'
import type { Tier } from '../../auth/index.ts'
import type { Limits } from '../../tenancy/index.ts'

const GIB = 1024 ** 3
/** So that one public link cannot use up the storage of a workspace on a high tier. */
const PROJECT_GIB = 100
const PROJECT_CONVERSATIONS = 200_000
/** More than the largest upload. */
const CONVERSATION_GIB = 4
/** Counting each chunk in one row would make all phones of a project wait. A project can exceed its quota by the data of 5 s. */
const CACHE_MS = 5_000
/** A sum over many conversations is cached longer, so that adding up takes at most one percent of a connection's time. */
const CACHE_COST_FACTOR = 100

export type Quota = ReturnType<typeof createQuota>

/** Each function throws `limit_reached` when a conversation, its project or its workspace has used up its storage. */
export function createQuota(db: Db, limits: Limits) {
  const projectUsage = cachedByCost((id) => readProjectUsage(db, id))
  const workspaceUsage = cachedByCost((id) => readWorkspaceUsage(db, id))

  /** `uploadBytes` returns the bytes of unfinished uploads. */
  async function checkWorkspace(
    projectId: string,
    uploadBytes: (projectIds: string[]) => Promise<number> = async () => 0,
  ): Promise<void> {
    const { workspace_id } = await projectUsage(projectId)
    const { tier, bytes, project_ids } = await workspaceUsage(workspace_id)
    limits.check('storage', { kind: 'workspace', tier }, bytes + (await uploadBytes(project_ids)))
  }

  async function checkProject(projectId: string): Promise<void> {
    const { bytes, conversations } = await projectUsage(projectId)
    if (bytes >= PROJECT_GIB * GIB)
      throw limitReached(`a project can store at most ${PROJECT_GIB} GiB. Delete conversations and try again`)
    if (conversations >= PROJECT_CONVERSATIONS)
      throw limitReached(
        `a project can have at most ${PROJECT_CONVERSATIONS} conversations. Delete one and try again`,
      )
    await checkWorkspace(projectId)
  }

  return {
    checkProject,
    checkWorkspace,
    async checkConversation({ project_id, bytes }: { project_id: string; bytes: number }): Promise<void> {
      if (bytes >= CONVERSATION_GIB * GIB)
        throw limitReached(`a conversation can store at most ${CONVERSATION_GIB} GiB. Start a new one`)
      await checkProject(project_id)
    },
  }
}

const limitReached = (rule: string) => new Problem('limit_reached', { detail: `Limit reached: ${rule}.` })

function cachedByCost<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const cache = createBoundedCache<string, Promise<T>>({ max: 10_000, ttl: CACHE_MS })
  return (id) => {
    const known = cache.get(id)
    if (known) return known
    const started = performance.now()
    const reading = read(id)
    cache.set(id, reading)
    reading.then(
      () => {
        const ttl = Math.max(CACHE_MS, CACHE_COST_FACTOR * (performance.now() - started))
        cache.set(id, reading, { ttl })
      },
      () => cache.delete(id),
    )
    return reading
  }
}

const LOGO_BYTES = sql`coalesce((p.logo ->> 'bytes')::float8, 0)`

async function readProjectUsage(db: Db, projectId: string) {
  const { rows } = await sql<{ workspace_id: string; bytes: number; conversations: number }>`
    select p.workspace_id, held.bytes + ${LOGO_BYTES} as bytes, held.conversations
    from projects p cross join lateral (
      select coalesce(sum(c.bytes), 0)::float8 as bytes, count(*) as conversations
      from conversations c where c.project_id = p.id and c.deleted_at is null
    ) held
    where p.id = ${projectId}`.execute(db)
  if (!rows[0]) throw new Problem('not_found')
  return rows[0]
}

async function readWorkspaceUsage(db: Db, workspaceId: string) {
  const { rows } = await sql<{ tier: Tier; bytes: number; project_ids: string[] }>`
    select w.tier, held.bytes, held.project_ids
    from workspaces w cross join lateral (
      select coalesce(sum(each.bytes), 0)::float8 as bytes, coalesce(array_agg(each.id), '{}') as project_ids
      from (
        select p.id, ${LOGO_BYTES}
          + (select coalesce(sum(c.bytes), 0) from conversations c where c.project_id = p.id and c.deleted_at is null) as bytes
        from projects p where p.workspace_id = w.id and p.deleted_at is null
      ) each
    ) held
    where w.id = ${workspaceId}`.execute(db)
  if (!rows[0]) throw new Problem('not_found')
  return rows[0]
}
