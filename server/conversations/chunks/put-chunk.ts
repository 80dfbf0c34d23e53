import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { sniffContainer } from '../../../media/containers/sniff-container.ts'
import { type FileStore, FileTooLarge } from '../../../storage/file-store.ts'
import { type NamedDigests, needsSha512, requireDigests } from '../../api/content-digest.ts'
import { invalidInput, Problem } from '../../api/problems.ts'
import type { ParticipantConversation } from '../../auth/index.ts'
import { faultPoint } from '../fault-points.ts'
import type { Lifecycle } from '../lifecycle/steps.ts'
import { MAX_CHUNK_BYTES, type StoredChunk } from '../participant/schema.ts'
import { chunkKey } from './file-keys.ts'
import type { RecordChunk } from './record-chunks.ts'
import type { Quota } from './storage-quota.ts'
import { problemOf, requireContainer } from './store-chunks.ts'

export interface ChunkParts extends Lifecycle {
  db: Db
  files: FileStore
  quota: Quota
}

export interface PutChunkParts extends ChunkParts {
  recordChunk: RecordChunk
}

export interface ChunkInput {
  seq: number
  /** ISO 8601. */
  recordedAt: string | null
  /** The digests of the bytes, as the client computed them. */
  digests: NamedDigests
}

/**
 * Stores the bytes, then their row together with the job that transcribes them. Both are durable when this returns. `isNew` is false
 * if the same bytes were already stored with this number.
 */
export async function putChunk(
  parts: PutChunkParts,
  conversation: ParticipantConversation,
  { seq, recordedAt, digests }: ChunkInput,
  body: Readable | undefined,
): Promise<z.output<typeof StoredChunk> & { isNew: boolean }> {
  if (!body) throw emptyChunk()
  await parts.quota.checkConversation(conversation)
  const file = await storing(parts.files.receive(body, MAX_CHUNK_BYTES, { sha512: needsSha512(digests) }))
  try {
    if (file.bytes === 0) throw emptyChunk()
    requireDigests(digests, file)
    // A chunk without a container header continues the chunk before it; the first chunk needs one.
    const container = seq === 0 ? requireContainer(file) : sniffContainer(file.head)
    const key = chunkKey(conversation.id, seq, file.digest)
    const kept = storing(file.keep(key)).then(() => faultPoint('after_store'))
    const chunk = { conversationId: conversation.id, seq, file, container, recordedAt }
    // The transaction of a batch waits for all its files: one slow request over the network would delay the others.
    if (parts.files.isRemote) await kept
    const stored = await parts.recordChunk(chunk, kept)
    const problem = problemOf(stored)
    if (problem) {
      // Without a row the file would never be counted or erased.
      await parts.files.remove(key)
      throw problem
    }
    return { seq, bytes: file.bytes, sha256: file.digest.toString('hex'), isNew: stored === 'new' }
  } finally {
    await file.discard()
  }
}

async function storing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FileTooLarge) throw new Problem('too_large')
    throw error
  }
}

const emptyChunk = () => invalidInput({ path: '', message: 'The chunk is empty. Send audio bytes.' })
