import type { Db } from '../../database/database.ts'
import type { AudioFailure } from '../../database/tables.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { StoredFile } from '../api/files/file-response.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { joinedKey } from './chunks/file-keys.ts'
import { findConversation } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'

/** The joined audio file of a conversation. */
export async function readAudio(
  context: Context<ProjectTarget>,
  row: ConversationRow,
  files: FileStore,
): Promise<StoredFile> {
  const { audio, key, size } = await findAudio(context.db, row, files)
  await noteStaffReading(context, 'audio.read', { kind: 'conversation', id: row.id })
  return {
    contentType: audio.content_type,
    size,
    version: `${audio.revision}-${size}`,
    read: (range) => files.read(key, range),
  }
}

/** A newer revision can replace the file after the row was read, so the row is read a second time before giving up. */
export async function findAudio(db: Db, row: ConversationRow, files: FileStore) {
  for (const read of [async () => row, () => findConversation(db, row.id)]) {
    const current = await read()
    if (current.audio === null) throw await withoutAudio(db, current)
    const key = joinedKey(current.id, current.audio.revision)
    const size = await files.size(key)
    if (size !== null) return { audio: current.audio, key, size }
  }
  throw new Problem('gone', {
    detail: 'The audio file is missing. Transcribe the conversation again to create it.',
  })
}

const RETRY_AFTER_SECONDS = { recording: 30, transcribing: 30, summarizing: 5, done: 5, failed: 5 }

const REASONS: Record<AudioFailure, string> = {
  no_chunks: 'This conversation has no audio.',
  unreadable: 'The received audio cannot be decoded.',
  mixed:
    'This recording can be joined to a file that browsers play only with ffmpeg. Install ffmpeg on the workers, then transcribe the conversation again.',
  internal: 'The audio could not be joined. Transcribe the conversation again to retry.',
}

/** The audio is still being joined, or there will be none. */
async function withoutAudio(db: Db, { id, status, audio_failure }: ConversationRow): Promise<Problem> {
  const isFinished = status !== 'recording' && status !== 'transcribing'
  const chunk = db.selectFrom('chunks').select('seq').where('conversation_id', '=', id).limit(1)
  const failure = audio_failure ?? (isFinished && !(await chunk.executeTakeFirst()) ? 'no_chunks' : null)
  if (failure !== null) return new Problem('gone', { detail: REASONS[failure] })
  return new Problem('not_ready_yet', {
    detail: 'The audio is still being recorded or joined. Try again later.',
    retryAfterSeconds: RETRY_AFTER_SECONDS[status],
  })
}
