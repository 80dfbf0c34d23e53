import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import type { Db } from '../kernel/database.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Tables } from '../kernel/tables.ts'
import { type ConversationAccess, noteStaffReading } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { type ConversationQuery, toConversation } from './schema.ts'
import { type WordQuery, wordQuery } from './search/word-query.ts'

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
  const chosen = query.q === undefined ? rows : await withWords(db, rows, wordQuery(target.id, query.q))
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

/** With more matches than this, the newest are found sooner by looking at one conversation after the other. */
const RARE = 10_000

/** Words that are rare come from the index, and are put in order; of frequent ones the first page is never far. */
async function withWords(db: Db, rows: Rows, query: WordQuery | null): Promise<Rows> {
  // Nothing but punctuation: no conversation holds that.
  if (query === null) return rows.where(sql<boolean>`false`)
  const { whole, indexed } = query
  const rare = indexed === null ? null : await rareMatches(db, indexed)
  const narrowed = rare === null ? rows : rows.where(sql<boolean>`id = any(array(select ${rare}))`)
  if (rare !== null && indexed === whole) return narrowed
  return narrowed.where(
    sql<boolean>`(select w.words @@ ${whole}::tsquery from conversation_words w where w.conversation_id = conversations.id)`,
  )
}

/** Null where there are too many of them. */
async function rareMatches(db: Db, indexed: string): Promise<RawBuilder<unknown> | null> {
  const matches = sql`conversations_with_words(${indexed}::tsquery, ${RARE + 1})`
  const counted = await sql<{ count: number }>`select count(*)::integer as count from ${matches}`.execute(db)
  return (counted.rows[0]?.count ?? 0) > RARE ? null : matches
}
