import type { z } from 'zod'
import { inTransaction, letIdle, type Tx } from '../../../database/database.ts'
import { faultPoint } from '../../../platform/fault-points.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { tenantIdsOf } from '../../tenancy/index.ts'
import { chunkKey, NAMING_MINUTES } from '../chunks/file-keys.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import { requireContainer, storeChunk } from '../chunks/store-chunks.ts'
import { finishConversation, PRIORITY } from '../lifecycle/steps.ts'
import { type ConversationRow, payloadOf } from '../payload.ts'
import type { HostMetadata } from './metadata.ts'

export type Host = Pick<Context<ProjectTarget>, 'principal' | 'target' | 'requestId'>

export interface HostFile {
  /** The id of the upload and of its conversation: a repeat finds the conversation and changes nothing. */
  id: string
  path: string
  about: z.output<typeof HostMetadata>
}

/** Makes a finished conversation of a host's file. */
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
    await finishConversation(parts, tx, row, 'participant')
    await audit(tx, host, {
      action: 'conversation.upload',
      ...(await tenantIdsOf(tx, host.target)),
      target: { kind: 'conversation', id },
    })
  })
}

/** Locks the project against deletion. A closed project still accepts files of its hosts. */
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

/** Returns undefined when the conversation already exists. */
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
