import type { Db } from '../../database/database.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { jsonEntry, type ZipEntry } from '../../storage/zip/zip.ts'
import { folderName } from '../api/files/file-name.ts'
import type { WorkspaceTarget } from '../auth/index.ts'
import { exportConversations } from '../conversations/index.ts'
import { exportReports } from '../reports/index.ts'
import { listConsentTexts, toProject, toWorkspace } from '../tenancy/index.ts'

export interface WorkspaceExport {
  db: Db
  files: FileStore
  publicUrl: string
  /** Whether to include the recordings. */
  audio: boolean
}

/** Everything in a workspace. Reads outside a transaction, because a download can take hours. */
export async function* workspaceFiles(
  on: WorkspaceExport,
  workspace: WorkspaceTarget,
): AsyncGenerator<ZipEntry> {
  const at = new Date().toISOString()
  yield { path: 'README.txt', at, content: README }
  yield jsonEntry('workspace.json', at, { ...toWorkspace(workspace), exported_at: at })
  for (const id of await projectIds(on.db, workspace.id)) {
    const project = await on.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!project) continue
    const folder = folderName(project.name, project.id)
    yield jsonEntry(`${folder}/project.json`, project.created_at, toProject(project))
    const texts = await listConsentTexts(on.db, project.id)
    if (texts.length > 0) yield jsonEntry(`${folder}/consent-texts.json`, project.created_at, texts)
    yield* within(`${folder}/conversations`, exportConversations(on, project.id))
    yield* within(`${folder}/reports`, exportReports(on.db, project, on.publicUrl))
  }
}

async function projectIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function* within(folder: string, entries: AsyncGenerator<ZipEntry>): AsyncGenerator<ZipEntry> {
  for await (const entry of entries) yield { ...entry, path: `${folder}/${entry.path}` }
}

const README = `A workspace at the time of the download.

workspace.json                the workspace, and the time of the export
<project>/project.json        the project's settings
<project>/consent-texts.json  every consent text of the project, by the digest in a conversation's consent
<project>/conversations/...   a folder for each conversation:
    conversation.json         all fields, with the summary and the transcript
    transcript.md             the transcript, to read
    transcript.vtt            the transcript, as captions for the audio
    audio.*                   the recording; a folder of parts while they are not joined yet
<project>/reports/...         a folder for each report: its record, and the document as Markdown and HTML

Times are in UTC. Each folder's name ends with the last characters of the id of what it holds.
Webhooks, their secrets and members are not part of it.
`
