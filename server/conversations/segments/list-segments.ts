import type { z } from 'zod'
import { cursorKey, type Page, toPage } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import type { ConversationRow } from '../payload.ts'
import { type Place, selectSegments } from './find-segments.ts'
import type { SegmentQuery, SegmentRecord } from './schema.ts'

const KEY = /^(\d{1,5})\.(\d{1,9})$/

/** Lists segments in chronological order, page by page. */
export async function listSegments(
  context: Context<ProjectTarget>,
  row: ConversationRow,
  query: z.output<typeof SegmentQuery>,
): Promise<Page<SegmentRecord>> {
  await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: row.id })
  const key = cursorKey(query, (text) => KEY.test(text))
  const rows = await selectSegments(context.db, row, {
    after: key === null ? null : placeOf(key),
    limit: query.limit + 1,
  })
  const page = toPage(rows, query.limit, ({ place }) => `${place.chunk_seq}.${place.position}`)
  return { ...page, data: page.data.map(({ record }) => record) }
}

function placeOf(key: string): Place {
  const [chunk_seq = 0, position = 0] = key.split('.').map(Number)
  return { chunk_seq, position }
}
