import type { z } from 'zod'
import type { GeneratedFile } from '../api/files/file-response.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { reportFile } from './render/report-file.ts'
import { type Report, type ReportQuery, type ReportRow, toReport } from './schema.ts'
import { documentForMembers, type StoredDocument } from './stored-document.ts'

type Format = z.output<typeof ReportQuery>['format']

/** The record of a report, or its document as a file. */
export async function readReport(
  context: Context<ProjectTarget>,
  row: ReportRow,
  { format, publicUrl }: { format: Format; publicUrl: string },
): Promise<z.output<typeof Report> | GeneratedFile> {
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  if (format === 'json') return toReport(row)
  if (row.document === null) throw new Problem('report_not_ready')
  const document = documentForMembers(row.document as StoredDocument, {
    publicUrl,
    project: context.target,
  })
  return reportFile(document, format)
}
