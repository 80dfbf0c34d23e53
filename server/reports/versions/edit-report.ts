import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { invalidInput, Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { tenantIdsOf } from '../../tenancy/index.ts'
import { lockReport } from '../find-report.ts'
import { type Report, type ReportRow, toReport } from '../schema.ts'
import type { StoredDocument } from '../stored-document.ts'
import { applyEdit } from './apply-edit.ts'
import { findVersion } from './find-version.ts'
import type { DocumentEdit, VersionToRestore } from './schema.ts'
import { storeVersion } from './store-version.ts'

/** Stores a changed text as a new version. The published version stays until the report is published again. */
export async function editReport(
  context: ChangeContext<ProjectTarget>,
  { id }: ReportRow,
  edit: z.output<typeof DocumentEdit>,
): Promise<z.output<typeof Report>> {
  const { tx, principal } = context
  const row = await lock(context, id)
  if (edit.version !== row.version) throw new Problem('precondition_failed')
  if (row.document === null) throw new Problem('report_not_ready')
  const base = row.document as StoredDocument
  const document = applyEdit(base, edit)
  if (isSame(base, document)) return toReport(row)
  const stored = await storeVersion(tx, row, { document, userId: principal.userId })
  await note(context, 'report.edit', stored)
  return toReport(stored)
}

/** Makes an earlier version the current one again, as a new version. */
export async function restoreVersion(
  context: ChangeContext<ProjectTarget>,
  { id }: ReportRow,
  { version }: z.output<typeof VersionToRestore>,
): Promise<z.output<typeof Report>> {
  const { tx, principal } = context
  const row = await lock(context, id)
  const document = await findVersion(tx, row, version)
  if (!document) throw invalidInput({ path: 'version', message: 'is not a version of this report' })
  if (version === row.version) return toReport(row)
  const stored = await storeVersion(tx, row, { document, userId: principal.userId, restoredFrom: version })
  await note(context, 'report.restore', stored)
  return toReport(stored)
}

async function lock(context: ChangeContext<ProjectTarget>, id: string): Promise<ReportRow> {
  const row = await lockReport(context.tx, id)
  if (!row) throw new Problem('not_found')
  context.requireUnchanged(toReport(row))
  return row
}

const note = async (
  context: ChangeContext<ProjectTarget>,
  action: 'report.edit' | 'report.restore',
  { id, version, restored_from }: ReportRow,
): Promise<void> =>
  audit(context.tx, context, {
    action,
    ...(await tenantIdsOf(context.tx, context.target)),
    target: { kind: 'report', id },
    details: { version, ...(restored_from !== null && { restored_from }) },
  })

const textsOf = ({ title, introduction, sections }: StoredDocument) => [title, introduction, sections]
const isSame = (a: StoredDocument, b: StoredDocument): boolean => isDeepStrictEqual(textsOf(a), textsOf(b))
