import type { FileStore } from '../../storage/file-store.ts'
import { type ConversationRow, chunkKey } from '../conversations/index.ts'
import { type ChunkRow, type FileChunks, hasHeader } from './find-file-chunks.ts'
import type { Overlap } from './find-overlap.ts'
import type { Container, LiveChunk, TranscribeRequest, Transcriber, Transcription } from './transcriber.ts'

type Settings = Pick<TranscribeRequest, 'language' | 'isChosen' | 'candidates' | 'hotwords'>

/** Whether a recorder sends it while it records. Other files are transcribed once, as a whole. */
export const isLive = ({ conversation, chunks, chunk }: FileChunks): boolean =>
  conversation.source === 'portal_audio' && chunk.transcribed_ms === null && hasHeader(chunks)

export const liveChunkOf = ({ conversation, chunk }: FileChunks, { before }: Overlap): LiveChunk => ({
  conversation: conversation.id,
  position: positionOf(conversation, chunk),
  after: before && positionOf(conversation, before),
})

const positionOf = ({ revision }: ConversationRow, { seq, digest }: ChunkRow): string =>
  `${revision}.${seq}.${digest.toString('base64')}`

/**
 * Continues with what the engine remembers of the chunk before, so that only this chunk is read and decoded. Null if the engine
 * remembers nothing, for example after a restart. Times in the result count from the beginning of the chunk.
 */
export async function resumeLive(
  { files, transcriber }: { files: FileStore; transcriber: Transcriber },
  file: FileChunks,
  overlap: Overlap,
  settings: Settings,
  signal: AbortSignal,
): Promise<Transcription | null> {
  const { chunks, chunk } = file
  const resume = transcriber.resume?.bind(transcriber)
  const live = isLive(file) ? liveChunkOf(file, overlap) : null
  if (!resume || !live?.after) return null
  const key = chunkKey(chunk.conversation_id, chunk.seq, chunk.digest)
  return await files.withPaths([key], async ([path]) =>
    path === undefined
      ? null
      : resume({
          ...settings,
          live,
          path,
          container: chunks[0]?.container as Container,
          isContinued: chunk.container === null,
          from: overlap.start / 1000,
          signal,
        }),
  )
}
