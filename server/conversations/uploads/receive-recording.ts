import { inTransaction, letIdle, type Tx } from '../../../database/database.ts'
import { faultPoint } from '../../../platform/fault-points.ts'
import { Problem } from '../../api/problems.ts'
import { chunkKey, NAMING_MINUTES } from '../files.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { PRIORITY } from '../lifecycle/steps.ts'
import type { ChunkParts } from '../participant/put-chunk.ts'
import { MAX_SEQ } from '../participant/schema.ts'
import { requireContainer, storeChunk } from '../store-chunks.ts'

/** A participant's whole file becomes the next chunk. Done again, after a crash or for the same bytes, it changes nothing. */
export async function receiveRecording(
  parts: ChunkParts,
  conversationId: string,
  { path, recordedAt }: { path: string; recordedAt: string | null },
): Promise<void> {
  const file = await parts.files.adopt(path)
  const container = requireContainer(file)
  await inTransaction(parts.db, async (tx) => {
    await letIdle(tx, NAMING_MINUTES)
    const row = await lockConversation(tx, conversationId)
    if (!row) throw new Problem('not_found')
    if (await holds(tx, row.id, file.digest)) return
    const seq = await nextSeq(tx, row.id)
    await file.keep(chunkKey(row.id, seq, file.digest))
    faultPoint('after_store')
    await storeChunk(parts, tx, { conversationId: row.id, seq, file, container, recordedAt }, PRIORITY.upload)
  })
}

async function holds(tx: Tx, conversationId: string, digest: Buffer): Promise<boolean> {
  const chunk = await tx
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', conversationId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return chunk !== undefined
}

async function nextSeq(tx: Tx, conversationId: string): Promise<number> {
  const { last } = await tx
    .selectFrom('chunks')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  if (last === MAX_SEQ)
    throw new Problem('limit_reached', {
      detail: `Limit reached: a conversation can have at most ${MAX_SEQ + 1} chunks.`,
    })
  return last === null ? 0 : last + 1
}
