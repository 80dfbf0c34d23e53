import type { z } from 'zod'
import { inTransaction, letIdle, type Tx } from '../../../database/database.ts'
import { faultPoint } from '../../../platform/fault-points.ts'
import { Problem } from '../../api/problems.ts'
import { audit, type Context } from '../../auth/index.ts'
import { placeOf } from '../../tenancy/index.ts'
import { chunkKey, NAMING_MINUTES } from '../files.ts'
import { finishConversation, PRIORITY } from '../lifecycle/steps.ts'
import type { ChunkParts } from '../participant/put-chunk.ts'
import { type ConversationRow, payloadOf } from '../payload.ts'
import { requireContainer, storeChunk } from '../store-chunks.ts'
import type { HostMetadata } from './metadata.ts'

export type Host = Pick<
  Context<{ kind: 'project'; capability: 'conversation:update' }>,
  'principal' | 'target' | 'requestId'
>

export interface HostFile {
  /** Of the upload, and of the conversation that it becomes: that is what makes doing it again harmless. */
  id: string
  path: string
  about: z.output<typeof HostMetadata>
}

/** A host's file becomes a conversation of its own, which is over when it begins. */
export async function receiveHostFile(
  parts: ChunkParts,
  host: Host,
  { id, path, about }: HostFile,
): Promise<void> {
  const file = await parts.files.adopt(path)
  const container = requireContainer(file)
  await inTransaction(parts.db, async (tx) => {
    await letIdle(tx, NAMING_MINUTES)
    const projectId = host.target.id
    await requireProject(tx, projectId)
    const row = await insertConversation(tx, projectId, id, about)
    if (!row) return
    await parts.emit(tx, { type: 'conversation.started', projectId, conversation: payloadOf(row) })
    await file.keep(chunkKey(id, 0, file.digest))
    faultPoint('after_store')
    const chunk = { conversationId: id, seq: 0, file, container, recordedAt: about.started_at ?? null }
    await storeChunk(parts, tx, chunk, PRIORITY.upload)
    // Whoever sends a whole file has said that it is finished.
    await finishConversation(parts, tx, row, 'participant')
    await audit(tx, host, {
      action: 'conversation.upload',
      ...(await placeOf(tx, host.target)),
      target: { kind: 'conversation', id },
    })
  })
}

/** Against being deleted meanwhile. A closed project takes its hosts' files: closing is towards the public. */
async function requireProject(tx: Tx, id: string): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!project) throw new Problem('not_found')
}

/** Undefined: it was made before. */
const insertConversation = (
  tx: Tx,
  projectId: string,
  id: string,
  about: HostFile['about'],
): Promise<ConversationRow | undefined> =>
  tx
    .insertInto('conversations')
    .values({
      id,
      project_id: projectId,
      status: 'recording',
      source: 'upload',
      title: about.title ?? null,
      language: about.language ?? null,
      participant_name: about.participant_name ?? null,
      tags: about.tags ?? [],
      ...(about.started_at ? { started_at: about.started_at } : {}),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
