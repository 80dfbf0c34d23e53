import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { newestFirst, type Page } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { type ConversationQuery, type ListedConversation, toConversation } from './schema.ts'
import { findPassages } from './search/find-passages.ts'
import { newestWithWords } from './search/newest-with-words.ts'
import { startedWithin } from './search/started-within.ts'
import { queryWords } from './search/words.ts'
import { parseCode } from './short-code.ts'

/** Newest first; with `q` only conversations that contain all its words. */
export async function listConversations(
  context: Context<ProjectTarget>,
  query: z.output<typeof ConversationQuery>,
): Promise<Page<z.output<typeof ListedConversation>>> {
  const { db, target } = context
  const { status, source, tag, language, since, until, code, q } = query
  await noteStaffReading(context, 'conversation.list', { kind: 'project', id: target.id })
  let rows = db
    .selectFrom('conversations')
    .selectAll()
    .where('project_id', '=', target.id)
    .where('deleted_at', 'is', null)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (source !== undefined) rows = rows.where('source', '=', source)
  if (tag !== undefined) rows = rows.where(sql<boolean>`tags @> array[${tag}]`)
  if (language !== undefined)
    rows = rows.where(sql<boolean>`coalesce(detected_language, language) = ${language}`)
  if (since !== undefined || until !== undefined)
    rows = rows.where(await startedWithin(db, target.id, since, until))
  if (code !== undefined) rows = rows.where('code', '=', code)
  if (q !== undefined) rows = rows.where(await isFound(db, target.id, q))
  const page = await newestFirst(rows, query, toConversation)
  if (q === undefined) return page
  const passages = await findPassages(
    db,
    page.data.map(({ id }) => id),
    q,
  )
  return { ...page, data: page.data.map((record) => ({ ...record, match: passages.get(record.id) ?? null })) }
}

/** A code that exists names one conversation; otherwise the text is searched for as words. */
async function isFound(db: Db, projectId: string, q: string): Promise<RawBuilder<boolean>> {
  const code = parseCode(q)
  if (code !== null) {
    const rows = db.selectFrom('conversations').select('id').where('project_id', '=', projectId)
    const row = await rows.where('code', '=', code).where('deleted_at', 'is', null).executeTakeFirst()
    if (row) return sql<boolean>`id = ${row.id}`
  }
  return newestWithWords(db, projectId, queryWords(q))
}
