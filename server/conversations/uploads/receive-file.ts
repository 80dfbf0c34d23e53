import type { z } from 'zod'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { chunkKey } from '../chunks/file-keys.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import { requireContainer, storeChunk } from '../chunks/store-chunks.ts'
import { faultPoint } from '../fault-points.ts'
import { auditConversation, conversationById, lockExisting, notFound } from '../find-conversation.ts'
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
export async function receiveHostFile(
  parts: ChunkParts,
  host: Host,
  { id, upload, about }: HostFile,
): Promise<void> {
  const projectId = host.target.id
  await receiveFile(parts, upload, about.started_at ?? null, {
    place: async (db) => {
      const row = await db.selectFrom('conversations').select('id').where('id', '=', id).executeTakeFirst()
      return row ? null : { conversationId: id, seq: 0 }
    },
    record: async (tx, digest, store) => {
      // Locks the project against deletion. A closed project still accepts files of its hosts.
      await projectById(tx, projectId).forShare().executeTakeFirstOrThrow(notFound)
      const row = await insertConversation(tx, projectId, id, about)
      if (!row) return (await seqOf(tx, id, digest)) === undefined ? 'unneeded' : 'kept'
      await parts.emit(tx, { type: 'conversation.started', projectId, conversation: payloadOf(row) })
      await store()
      await finishConversation(parts, tx, row, 'participant')
      await auditConversation(tx, host, 'conversation.upload', id)
      return 'kept'
    },
  })
}

/** A participant's whole file becomes the next chunk. Repeating it, after a crash or with the same bytes, changes nothing. */
export async function receiveRecording(
  parts: ChunkParts,
  conversationId: string,
  { upload, recordedAt }: { upload: string; recordedAt: string | null },
): Promise<void> {
  const attempt = () =>
    receiveFile(parts, upload, recordedAt, {
      place: async (db, digest) => {
        await conversationById(db, conversationId).executeTakeFirstOrThrow(notFound)
        if ((await seqOf(db, conversationId, digest)) !== undefined) return null
        return { conversationId, seq: await nextSeq(db, conversationId) }
      },
      record: async (tx, digest, store, place) => {
        await lockExisting(tx, conversationId)
        const seq = await seqOf(tx, conversationId, digest)
        if (seq !== undefined) return seq === place.seq ? 'kept' : 'unneeded'
        if ((await nextSeq(tx, conversationId)) !== place.seq) return 'taken'
        await store()
        return 'kept'
      },
    })
  while ((await attempt()) === 'taken');
}

interface Place {
  conversationId: string
  seq: number
}

/** Whether a chunk has the file; another chunk took its number in the meantime; or the conversation needs no such file. */
type Outcome = 'kept' | 'taken' | 'unneeded'

interface Receiving {
  /** Where the file is stored; null if its conversation has it. */
  place(db: Db, digest: Buffer): Promise<Place | null>
  /** `store` inserts the chunk. */
  record(tx: Tx, digest: Buffer, store: () => Promise<void>, place: Place): Promise<Outcome>
}

/** Stores the file before the transaction: storing 2 GiB over a network takes minutes, in which nothing must be locked. */
async function receiveFile(
  parts: ChunkParts,
  upload: string,
  recordedAt: string | null,
  { place: findPlace, record }: Receiving,
): Promise<Outcome> {
  const file = await parts.files.uploads.adopt(upload)
  try {
    const container = requireContainer(file)
    const place = await findPlace(parts.db, file.digest)
    if (place === null) return 'unneeded'
    const key = chunkKey(place.conversationId, place.seq, file.digest)
    await file.keep(key)
    faultPoint('after_store')
    const store = (tx: Tx) =>
      storeChunk(parts, tx, { ...place, file, container, recordedAt }, PRIORITY.upload)
    const recording = inTransaction(parts.db, (tx) => record(tx, file.digest, () => store(tx), place))
    const outcome = await recording.catch(async (error: unknown) => {
      // After any other error the transaction can have been committed.
      if (error instanceof Problem) await parts.files.remove(key)
      throw error
    })
    if (outcome !== 'kept') await parts.files.remove(key)
    return outcome
  } finally {
    await file.discard()
  }
}

/** The number of the chunk with these bytes. */
async function seqOf(db: Db | Tx, conversationId: string, digest: Buffer): Promise<number | undefined> {
  const chunks = db.selectFrom('chunks').select('seq').where('conversation_id', '=', conversationId)
  return (await chunks.where('digest', '=', digest).executeTakeFirst())?.seq
}

async function nextSeq(db: Db | Tx, conversationId: string): Promise<number> {
  const { last } = await db
    .selectFrom('chunks')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  if (last === MAX_SEQ)
    throw new Problem('limit_reached', {
      detail: `Limit reached: a conversation can have at most ${MAX_SEQ + 1} chunks. Start a new conversation.`,
    })
  return last === null ? 0 : last + 1
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
