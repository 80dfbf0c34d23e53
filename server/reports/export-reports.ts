import type { Db } from '../../database/database.ts'
import { jsonEntry, type ZipEntry } from '../../storage/zip/zip.ts'
import { folderName } from '../api/files/file-name.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import type { ReportDocument } from './render/report-document.ts'
import { toReport } from './schema.ts'
import { documentForMembers, type StoredDocument } from './stored-document.ts'

/** Every version of every report of a project, each in a folder. */
export async function* exportReports(
  db: Db,
  project: { id: string; name: string },
  publicUrl: string,
): AsyncGenerator<ZipEntry> {
  const ids = await db
    .selectFrom('reports')
    .select('id')
    .where('project_id', '=', project.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of ids) {
    // Read only now: an erasure can have changed the document, or its project can have been deleted.
    const row = await db
      .selectFrom('reports as r')
      .innerJoin('projects as p', 'p.id', 'r.project_id')
      .selectAll('r')
      .where('r.id', '=', id)
      .where('r.deleted_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) continue
    const at = row.ready_at ?? row.created_at
    const folder = `${at.slice(0, 10)} ${folderName(row.title ?? '', id)}`
    yield jsonEntry(`${folder}/report.json`, at, toReport(row))
    if (row.document === null) continue
    const document = documentForMembers(row.document as StoredDocument, { publicUrl, project })
    yield { path: `${folder}/report.md`, at, content: renderMarkdown(document) }
    yield { path: `${folder}/report.html`, at, content: renderHtml(document) }
    yield* earlierVersions(db, id, folder, (stored) => documentForMembers(stored, { publicUrl, project }))
  }
}

/** As Markdown only, each read when it is its turn. */
async function* earlierVersions(
  db: Db,
  reportId: string,
  folder: string,
  toDocument: (stored: StoredDocument) => ReportDocument,
): AsyncGenerator<ZipEntry> {
  const versions = db.selectFrom('report_versions').where('report_id', '=', reportId)
  for (const { number } of await versions.select('number').orderBy('number').execute()) {
    const row = await versions.selectAll().where('number', '=', number).executeTakeFirst()
    if (!row) continue
    const content = renderMarkdown(toDocument(row.document as StoredDocument))
    yield { path: `${folder}/versions/${number}.md`, at: row.created_at, content }
  }
}
