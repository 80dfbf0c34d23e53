import type { Db } from '../../database/database.ts'
import type { AudioFailure } from '../../database/tables.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { byteRange, contentRange } from '../api/byte-range.ts'
import { Problem } from '../api/problems.ts'
import type { Answer } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { joinedKey } from './files.ts'
import { type ConversationAccess, findConversation } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'

/** The chunks as one file, whole or the range that a player asks for. */
export async function readAudio(
  context: Context<ConversationAccess>,
  row: ConversationRow,
  files: FileStore,
): Promise<Answer> {
  const { audio, key, size } = await findAudio(context, row, files)
  await noteStaffReading(context, 'audio.read', { kind: 'conversation', id: row.id })
  const etag = `"${audio.revision}-${size}"`
  // A player that holds a part of what was there before late audio came wants the whole of this.
  const isOther = context.ifRange !== undefined && context.ifRange !== etag
  const range = byteRange(isOther ? undefined : context.range, size)
  const placed = contentRange(range, size)
  const headers = {
    'content-type': audio.content_type,
    'accept-ranges': 'bytes',
    etag,
    ...(placed && { 'content-range': placed }),
  }
  if (range.kind === 'unsatisfiable') throw new Problem('range_not_satisfiable', { headers })
  if (range.kind === 'whole') {
    const body = await files.read(key)
    return { status: 200, headers: { ...headers, 'content-length': String(size) }, body }
  }
  const body = await files.read(key, { first: range.start, last: range.end })
  const length = String(range.end - range.start + 1)
  return { status: 206, headers: { ...headers, 'content-length': length }, body }
}

interface FoundAudio {
  audio: NonNullable<ConversationRow['audio']>
  key: string
  size: number
}

/** The file may just have been replaced by that of a newer revision, so that the row is read a second time before giving up. */
async function findAudio(
  context: Context<ConversationAccess>,
  row: ConversationRow,
  files: FileStore,
): Promise<FoundAudio> {
  for (const current of [() => row, () => findConversation(context)]) {
    const now = await current()
    if (now.audio === null) throw await withoutAudio(context, now)
    const key = joinedKey(now.id, now.audio.revision)
    const size = await files.size(key)
    if (size !== null) return { audio: now.audio, key, size }
  }
  throw new Problem('gone', {
    detail: 'The audio file is missing. Transcribe the conversation again to make it.',
  })
}

/** Seconds until it is worth asking again. */
const RETRY_AFTER = { recording: 30, transcribing: 30, summarizing: 5, done: 5, failed: 5 }

const REASONS: Record<AudioFailure, string> = {
  no_chunks: 'This conversation has no audio.',
  unreadable: 'None of the audio that was received can be decoded.',
  mixed:
    'The parts of this recording can’t be joined without ffmpeg. Install it where the workers run, then transcribe the conversation again.',
  internal: 'The audio could not be joined. Transcribe the conversation again to retry.',
}

/** Either it is still being made, or there will be none. */
async function withoutAudio(
  { db }: Context<ConversationAccess>,
  { id, status, audio_failure }: ConversationRow,
): Promise<Problem> {
  const isFinished = status !== 'recording' && status !== 'transcribing'
  const failure = audio_failure ?? (isFinished && !(await hasChunks(db, id)) ? 'no_chunks' : null)
  if (failure !== null) return new Problem('gone', { detail: REASONS[failure] })
  return new Problem('not_ready_yet', {
    detail: 'The audio is still being recorded or joined.',
    headers: { 'retry-after': String(RETRY_AFTER[status]) },
  })
}

async function hasChunks(db: Db, id: string): Promise<boolean> {
  const chunk = await db
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return chunk !== undefined
}
