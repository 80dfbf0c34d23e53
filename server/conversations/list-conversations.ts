import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Tables } from '../kernel/tables.ts'
import { type ConversationAccess, noteStaffReading } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { type ConversationQuery, toConversation } from './schema.ts'
import { wordQuery } from './search/word-query.ts'

type Query = z.output<typeof ConversationQuery>

/** Newest first; with `q` those that hold all the words. */
export async function listConversations(
  context: Context<ConversationAccess, undefined, Query>,
): Promise<Answer> {
  const { db, target, query } = context
  await noteStaffReading(context, 'conversation.list', { kind: 'project', id: target.id })
  const rows = db
    .selectFrom('conversations')
    .selectAll()
    .where('project_id', '=', target.id)
    .where('deleted_at', 'is', null)
  return found(await newestFirst(filtered(rows, query), query, toConversation))
}

type Rows = SelectQueryBuilder<Tables, 'conversations', ConversationRow>

function filtered(rows: Rows, { status, source, tag, since, until, q }: Query): Rows {
  let chosen = rows
  if (status !== undefined) chosen = chosen.where('status', '=', status)
  if (source !== undefined) chosen = chosen.where('source', '=', source)
  if (tag !== undefined) chosen = chosen.where(sql<boolean>`${tag} = any(tags)`)
  if (since !== undefined) chosen = chosen.where('started_at', '>=', since)
  if (until !== undefined) chosen = chosen.where('started_at', '<', until)
  return q === undefined ? chosen : withWords(chosen, q)
}

function withWords(rows: Rows, q: string): Rows {
  const words = wordQuery(q)
  // Nothing but punctuation: no conversation holds that.
  if (words === null) return rows.where(sql<boolean>`false`)
  return rows.where(
    sql<boolean>`exists (
      select from conversation_words w
      where w.conversation_id = conversations.id and w.words @@ ${words}::tsquery)`,
  )
}
