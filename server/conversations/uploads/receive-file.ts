import type { z } from 'zod'
import { inTransaction, letIdle, type Tx } from '../../../database/database.ts'
import { faultPoint } from '../../../platform/fault-points.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { chunkKey } from '../chunks/file-keys.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import { requireContainer, storeChunk } from '../chunks/store-chunks.ts'
import { auditConversation, lockExisting, notFound } from '../find-conversation.ts'
import { finishConversation, PRIORITY } from '../lifecycle/steps.ts'
import { projectById } from '../participant/read-portal.ts'
import { MAX_SEQ } from '../participant/schema.ts'
import { type ConversationRow, payloadOf } from '../payload.ts'
import type { HostMetadata } from './metadata.ts'

export type Host = Pick<Context<ProjectTarget>, 'principal' | 'target' | 'requestId'>

export interface HostFile {
  /** The id of the upload and of its conversation: a repeat finds the conversation and changes nothing. */
  id: string
  /** The id of the upload in the file store. */
  upload: string
  about: z.output<typeof HostMetadata>
}

/** Makes a finished conversation of a host's file. */
export const receiveHostFile = (
  parts: ChunkParts,
  host: Host,
  { id, upload, about }: HostFile,
): Promise<void> =>
  receiveFile(parts, upload, about.started_at ?? null, async (tx, _digest, store) => {
    const projectId = host.target.id
    // Locks the project against deletion. A closed project still accepts files of its hosts.
    await projectById(tx, projectId).forShare().executeTakeFirstOrThrow(notFound)
    const row = await insertConversation(tx, projectId, id, about)
    if (!row) return
    await parts.emit(tx, { type: 'conversation.started', projectId, conversation: payloadOf(row) })
    await store(id, 0)
    await finishConversation(parts, tx, row, 'participant')
    await auditConversation(tx, host, 'conversation.upload', id)
  })

/** A participant's whole file becomes the next chunk. Repeating it, after a crash or with the same bytes, changes nothing. */
export const receiveRecording = (
  parts: ChunkParts,
  conversationId: string,
  { upload, recordedAt }: { upload: string; recordedAt: string | null },
): Promise<void> =>
  receiveFile(parts, upload, recordedAt, async (tx, digest, store) => {
    await lockExisting(tx, conversationId)
    const chunks = tx.selectFrom('chunks').where('conversation_id', '=', conversationId)
    if (await chunks.select('seq').where('digest', '=', digest).executeTakeFirst()) return
    const { last } = await chunks.select(({ fn }) => fn.max('seq').as('last')).executeTakeFirstOrThrow()
    if (last === MAX_SEQ)
      throw new Problem('limit_reached', {
        detail: `Limit reached: a conversation can have at most ${MAX_SEQ + 1} chunks. Start a new conversation.`,
      })
    await store(conversationId, last === null ? 0 : last + 1)
  })

/** Time for storing an upload in its transaction: 2 GiB over a network. */
const NAMING_MINUTES = 10

async function receiveFile(
  parts: ChunkParts,
  upload: string,
  recordedAt: string | null,
  receive: (
    tx: Tx,
    digest: Buffer,
    store: (conversationId: string, seq: number) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const file = await parts.files.uploads.adopt(upload)
  try {
    const container = requireContainer(file)
    await inTransaction(parts.db, async (tx) => {
      await letIdle(tx, NAMING_MINUTES)
      await receive(tx, file.digest, async (conversationId, seq) => {
        await file.keep(chunkKey(conversationId, seq, file.digest))
        faultPoint('after_store')
        await storeChunk(parts, tx, { conversationId, seq, file, container, recordedAt }, PRIORITY.upload)
      })
    })
  } finally {
    await file.discard()
  }
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
      // A title that the host gave is not replaced by a generated one.
      own_title: about.title != null,
      language: about.language ?? null,
      participant_name: about.participant_name ?? null,
      tags: about.tags ?? [],
      ...(about.started_at ? { started_at: about.started_at } : {}),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
