import type { Context } from '../access/index.ts'
import type { Answer } from '../kernel/answer.ts'
import type { FileStore } from '../kernel/files/file-store.ts'
import { Problem } from '../kernel/problems.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { byteRange, contentRange } from './audio/byte-range.ts'
import { joinedKey } from './files.ts'
import type { ConversationAccess } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'

/** The chunks as one file, whole or the range that a player asks for. */
export async function readAudio(
  context: Context<ConversationAccess>,
  row: ConversationRow,
  files: FileStore,
): Promise<Answer> {
  if (row.audio === null) throw await withoutAudio(context, row)
  const key = joinedKey(row.id, row.audio.revision)
  const size = await files.size(key)
  if (size === null) throw new Problem('not_found')
  await noteStaffReading(context, 'audio.read', { kind: 'conversation', id: row.id })
  const etag = `"${row.audio.revision}-${size}"`
  // A player that holds a part of what was there before late audio came wants the whole of this.
  const isOther = context.ifRange !== undefined && context.ifRange !== etag
  const range = byteRange(isOther ? undefined : context.range, size)
  const placed = contentRange(range, size)
  const headers = {
    'content-type': row.audio.content_type,
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

/** None was recorded, or it is not put together yet. */
async function withoutAudio({ db }: Context<ConversationAccess>, { id }: ConversationRow): Promise<Problem> {
  const chunk = await db
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return chunk
    ? new Problem('conflict', { detail: 'The audio is not put together yet, or can’t be.' })
    : new Problem('not_found')
}
