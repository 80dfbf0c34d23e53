import { sql } from 'kysely'
import type { z } from 'zod'
import { cursorKey, type Page, type PageQuery, toPage } from '../../api/pagination.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import type { ReportRow } from '../schema.ts'
import type { ReportVersion } from './schema.ts'

type Version = z.output<typeof ReportVersion>

/** Newest first; the first is the current one. */
export async function listVersions(
  context: Context<ProjectTarget>,
  row: ReportRow,
  query: PageQuery,
): Promise<Page<Version>> {
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  if (row.document === null) throw new Problem('report_not_ready')
  const before = Number(cursorKey(query, (key) => /^[1-9]\d{0,8}$/.test(key)) ?? row.version + 1)
  const earlier = await context.db
    .selectFrom('report_versions')
    .select(({ ref }) => [
      'number',
      'created_by',
      'created_at',
      'restored_from',
      sql<string>`${ref('document')} ->> 'title'`.as('title'),
    ])
    .where('report_id', '=', row.id)
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(query.limit + 1)
    .execute()
  const current = {
    number: row.version,
    created_by: row.edited_by,
    created_at: row.edited_at ?? row.ready_at ?? row.created_at,
    restored_from: row.restored_from,
    title: row.title ?? '',
  }
  const published = row.published ? (row.published_version ?? row.version) : null
  const versions = (row.version < before ? [current, ...earlier] : earlier).map((one) => ({
    ...one,
    origin: originOf(one),
    current: one.number === row.version,
    published: one.number === published,
  }))
  return toPage(versions, query.limit, ({ number }) => String(number))
}

function originOf({
  created_by,
  restored_from,
}: Pick<Version, 'created_by' | 'restored_from'>): Version['origin'] {
  if (restored_from !== null) return 'restored'
  return created_by === null ? 'generated' : 'edited'
}
