import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import type { Db } from '../kernel/database.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Tables } from '../kernel/tables.ts'
import { type ConversationAccess, noteStaffReading } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { type ConversationQuery, toConversation } from './schema.ts'
import { newestWithWords } from './search/newest-with-words.ts'
import { wordsOf } from './search/word-query.ts'

type Query = z.output<typeof ConversationQuery>

/** Newest first; with `q` those that hold all the words. */
export async function listConversations(
  context: Context<ConversationAccess, undefined, Query>,
): Promise<Answer> {
  const { db, target, query } = context
  await noteStaffReading(context, 'conversation.list', { kind: 'project', id: target.id })
  const rows = filtered(
    db
      .selectFrom('conversations')
      .selectAll()
      .where('project_id', '=', target.id)
      .where('deleted_at', 'is', null),
    query,
  )
  const chosen = query.q === undefined ? rows : await withWords(db, rows, target.id, query.q)
  return found(await newestFirst(chosen, query, toConversation))
}

type Rows = SelectQueryBuilder<Tables, 'conversations', ConversationRow>

function filtered(rows: Rows, { status, source, tag, since, until }: Query): Rows {
  let chosen = rows
  if (status !== undefined) chosen = chosen.where('status', '=', status)
  if (source !== undefined) chosen = chosen.where('source', '=', source)
  if (tag !== undefined) chosen = chosen.where(sql<boolean>`tags @> array[${tag}]`)
  if (since !== undefined) chosen = chosen.where('started_at', '>=', since)
  if (until !== undefined) chosen = chosen.where('started_at', '<', until)
  return chosen
}

async function withWords(db: Db, rows: Rows, projectId: string, q: string): Promise<Rows> {
  const words = wordsOf(q)
  // Nothing but punctuation: no conversation holds that.
  return rows.where(words.length === 0 ? sql<boolean>`false` : await newestWithWords(db, projectId, words))
}
