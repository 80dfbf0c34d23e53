import type { Db } from '../../database/database.ts'
import { jsonEntry, type ZipEntry } from '../../storage/zip/zip.ts'
import { folderName } from '../api/files/file-name.ts'
import type { WorkspaceTarget } from '../auth/index.ts'
import {
  type ConversationExport,
  exportConversations,
  openFile,
  projectById,
} from '../conversations/index.ts'
import { exportReports } from '../reports/index.ts'
import { listConsentTexts, toProject, toWorkspace } from '../tenancy/index.ts'

/** Everything in a workspace. Reads outside a transaction, because a download can take hours. */
export async function* workspaceFiles(
  parts: ConversationExport & { publicUrl: string },
  workspace: WorkspaceTarget,
): AsyncGenerator<ZipEntry> {
  const at = new Date().toISOString()
  yield { path: 'README.txt', at, content: README }
  yield jsonEntry('workspace.json', at, { ...toWorkspace(workspace), exported_at: at })
  for (const id of await projectIds(parts.db, workspace.id)) {
    const project = await projectById(parts.db, id).executeTakeFirst()
    if (!project) continue
    const folder = folderName(project.name, project.id)
    yield jsonEntry(`${folder}/project.json`, project.created_at, toProject(project, parts.publicUrl))
    const logo = project.logo && (await openFile(parts.files, project.logo.key))
    if (logo) yield { path: `${folder}/logo.png`, at: project.created_at, content: logo }
    const texts = await listConsentTexts(parts.db, project.id)
    if (texts.length > 0) yield jsonEntry(`${folder}/consent-texts.json`, project.created_at, texts)
    yield* within(`${folder}/conversations`, exportConversations(parts, project.id))
    yield* within(`${folder}/reports`, exportReports(parts.db, project, parts.publicUrl))
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
<project>/logo.png            the logo of the recording page
<project>/consent-texts.json  every consent text of the project, by the digest in a conversation's consent
<project>/conversations/...   a folder for each conversation:
    conversation.json         all fields, with the summary and the transcript
    transcript.md             the transcript, to read
    transcript.vtt            the transcript, as captions for the audio
    audio.*                   the recording; a folder of parts while they are not joined yet
<project>/reports/...         a folder for each report: its record, and the document as Markdown and HTML

Times are in UTC. The name of each folder ends with the last characters of the id of its conversation or report.
Webhooks, their secrets and members are not included.
`
