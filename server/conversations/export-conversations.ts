import type { Db } from '../../database/database.ts'
import { extensionOf } from '../../media/containers/container.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { jsonEntry, type SizedStream, type ZipEntry } from '../../storage/zip/zip.ts'
import { folderName } from '../api/files/file-name.ts'
import { chunkKey, joinedKey } from './chunks/file-keys.ts'
import { idsInBatches } from './find-conversation.ts'
import { openFile } from './open-file.ts'
import type { ConversationRow } from './payload.ts'
import { findMissingAudio } from './read-conversation.ts'
import { toConversation } from './schema.ts'
import { transcriptAs } from './transcript/formats.ts'
import { loadTimeLine } from './transcript/time-line.ts'

export interface ConversationExport {
  db: Db
  files: FileStore
  /** Whether to include the recordings. */
  audio: boolean
}

/** Exports the conversations of a project, each in a folder, in order of creation. */
export async function* exportConversations(
  parts: ConversationExport,
  projectId: string,
): AsyncGenerator<ZipEntry> {
  const ofProject = parts.db
    .selectFrom('conversations')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
  for await (const ids of idsInBatches(ofProject, BATCH_SIZE))
    for (const id of ids) {
      // Read only now, which can be an hour after the ids: deleted conversations and projects are not exported.
      const row = await parts.db
        .selectFrom('conversations as c')
        .innerJoin('projects as p', 'p.id', 'c.project_id')
        .selectAll('c')
        .where('c.id', '=', id)
        .where('c.deleted_at', 'is', null)
        .where('p.deleted_at', 'is', null)
        .executeTakeFirst()
      if (row) yield* filesOf(parts, row)
    }
}

const BATCH_SIZE = 500

async function* filesOf(parts: ConversationExport, row: ConversationRow): AsyncGenerator<ZipEntry> {
  const folder = `${row.started_at.slice(0, 10)} ${folderName(row.title ?? '', row.id)}`
  const at = row.finished_at ?? row.started_at
  const timeLine = await loadTimeLine(parts.db, row)
  const missing = await findMissingAudio(parts.db, row)
  const transcript = timeLine.entries.map((entry) => ({ ...entry, etag: undefined }))
  const record = { ...toConversation(row), missing, transcript }
  yield jsonEntry(`${folder}/conversation.json`, at, record)
  for (const format of ['md', 'vtt'] as const)
    yield { path: `${folder}/transcript.${format}`, at, content: transcriptAs(format, timeLine).body }
  if (parts.audio)
    for await (const { name, content } of audioOf(parts, row))
      yield { path: `${folder}/${name}`, at, content }
}

/** The joined audio, or the chunks if they are not joined yet or cannot be joined. */
async function* audioOf(
  { db, files }: ConversationExport,
  { id, audio }: ConversationRow,
): AsyncGenerator<{ name: string; content: SizedStream }> {
  const whole = audio && (await openFile(files, joinedKey(id, audio.revision)))
  if (whole) {
    yield { name: `audio.${extensionOf(audio.content_type)}`, content: whole }
    return
  }
  const chunks = await db
    .selectFrom('chunks')
    .select(['seq', 'digest', 'container'])
    .where('conversation_id', '=', id)
    .orderBy('seq')
    .execute()
  for (const { seq, digest, container } of chunks) {
    const content = await openFile(files, chunkKey(id, seq, digest))
    if (content) yield { name: `audio/${String(seq).padStart(5, '0')}.${container ?? 'part'}`, content }
  }
}
