import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../kernel/database.ts'
import { Problem } from '../../kernel/problems.ts'

const GIB = 1024 ** 3
/** So that one public link can't fill the disk. */
const PROJECT_BYTES = 100 * GIB
const PROJECT_CONVERSATIONS = 200_000
/** The longest upload, and then some. */
const CONVERSATION_BYTES = 4 * GIB
/**
 * What a project holds is added up this often, per process: counting it in one row would make all phones of a project wait
 * for each other at every chunk. Meanwhile it can grow by what arrives in five seconds.
 */
const FRESH_MS = 5_000

export interface Quota {
  /** Refuses when the project holds as much as it may. */
  requireRoom(projectId: string): Promise<void>
  requireRoomIn(conversation: { project_id: string; bytes: number }): Promise<void>
}

export function createQuota(db: Db): Quota {
  const usage = new LRUCache<string, Promise<Usage>>({ max: 10_000, ttl: FRESH_MS })
  async function requireRoom(projectId: string): Promise<void> {
    const reading = usage.get(projectId) ?? readUsage(db, projectId)
    usage.set(projectId, reading, { noUpdateTTL: true })
    const { bytes, conversations } = await reading.catch((error: unknown) => {
      usage.delete(projectId)
      throw error
    })
    if (bytes >= PROJECT_BYTES || conversations >= PROJECT_CONVERSATIONS)
      throw new Problem('limit_reached', { detail: 'This project holds as much as it may.' })
  }
  return {
    requireRoom,
    async requireRoomIn({ project_id, bytes }) {
      if (bytes >= CONVERSATION_BYTES)
        throw new Problem('limit_reached', { detail: 'This conversation is as large as one may be.' })
      await requireRoom(project_id)
    },
  }
}

interface Usage {
  bytes: number
  conversations: number
}

async function readUsage(db: Db, projectId: string): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select coalesce(sum(bytes), 0)::float8 as bytes, count(*) as conversations
    from conversations where project_id = ${projectId} and deleted_at is null`.execute(db)
  return rows[0] as Usage
}
