import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { newestFirst, type Page } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { ConversationRow } from './payload.ts'
import { type Conversation, type ConversationQuery, toConversation } from './schema.ts'
import { newestWithWords } from './search/newest-with-words.ts'
import { startedWithin } from './search/started-within.ts'
import { wordsAsked } from './search/words.ts'

type Query = z.output<typeof ConversationQuery>

/** Newest first; with `q` only conversations that contain all its words. */
export async function listConversations(
  context: Context<ProjectTarget>,
  query: Query,
): Promise<Page<z.output<typeof Conversation>>> {
  const { db, target } = context
  await noteStaffReading(context, 'conversation.list', { kind: 'project', id: target.id })
  let rows = filtered(
    db
      .selectFrom('conversations')
      .selectAll()
      .where('project_id', '=', target.id)
      .where('deleted_at', 'is', null),
    query,
  )
  const { since, until, q } = query
  if (since !== undefined || until !== undefined)
    rows = rows.where(await startedWithin(db, target.id, { since, until }))
  if (q !== undefined) rows = rows.where(await withWords(db, target.id, q))
  return newestFirst(rows, query, toConversation)
}

type Rows = SelectQueryBuilder<Tables, 'conversations', ConversationRow>

function filtered(rows: Rows, { status, source, tag }: Query): Rows {
  let chosen = rows
  if (status !== undefined) chosen = chosen.where('status', '=', status)
  if (source !== undefined) chosen = chosen.where('source', '=', source)
  if (tag !== undefined) chosen = chosen.where(sql<boolean>`tags @> array[${tag}]`)
  return chosen
}

/** A query of punctuation alone has no words and matches no conversation. */
async function withWords(db: Db, projectId: string, q: string): Promise<RawBuilder<boolean>> {
  const words = wordsAsked(q)
  return words.length === 0 ? sql<boolean>`false` : newestWithWords(db, projectId, words)
}
