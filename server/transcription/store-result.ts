import { sql, type UpdateObject } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import {
  advance,
  type ConversationRow,
  type Lifecycle,
  lockConversation,
  PRIORITY,
} from '../conversations/index.ts'
import { notifyProject } from '../webhooks/index.ts'
import { isUnbroken, type Run, runUpTo } from './find-file-chunks.ts'
import type { Seam } from './find-overlap.ts'
import { isReplaced, type Phrase } from './overlap.ts'

/** What a hearing gave. Times are milliseconds from the beginning of the chunk. */
export interface Hearing {
  seam: Seam
  phrases: Phrase[]
  language: string | null
  /** How far it was heard. */
  heard: number
  isWhole: boolean
}

export type Outcome = Hearing | { failure: string }

type Settled = Pick<Run, 'conversation' | 'chunk'>

/** What every hearing ends with, in one transaction: a job that runs again finds it written. */
export async function settleChunk(
  on: Lifecycle & { db: Db },
  { conversation, chunk }: Settled,
  outcome: Outcome,
  priority: number,
): Promise<void> {
  const { id, project_id: projectId, revision } = conversation
  await inTransaction(on.db, async (tx) => {
    const row = await lockConversation(tx, id)
    // A revision begins when everything was settled: what was still being heard for the one before is not wanted any more.
    if (row?.revision !== revision || !(await isUnheard(tx, chunk))) return
    const isLost = 'failure' in outcome && outcome.failure === INCOMPLETE
    // What it continues came after all, since somebody looked: who heard that has passed it by, as it did not wait.
    if (isLost && isUnbroken(await runUpTo(tx, id, chunk.seq)))
      return on.jobs.enqueue(tx, 'transcribe', dataOf(chunk), { projectId, priority })
    if ('failure' in outcome) await giveUp(tx, chunk, outcome.failure)
    else await write(tx, chunk, outcome)
    const heard = await noteHeard(tx, row, 'failure' in outcome ? null : outcome.language)
    await notifyProject(tx, heard.project_id)
    // Whoever speaks now goes before the rest of a long recording.
    if (!('failure' in outcome || outcome.isWhole))
      return on.jobs.enqueue(tx, 'transcribe', dataOf(chunk), {
        projectId,
        priority: Math.min(priority, PRIORITY.upload),
      })
    await wakeFollower(on, tx, heard, { seq: chunk.seq, isLost, priority })
    await advance(on, tx, heard)
  })
}

/** The beginning of the file that it is a part of never came. */
export const INCOMPLETE = 'incomplete'

/** It is tried again, perhaps for hours: those after it wait no longer. */
export async function noteTrouble(
  on: Lifecycle & { db: Db },
  { conversation, chunk }: Settled,
  failure: string,
  priority: number,
): Promise<void> {
  await inTransaction(on.db, async (tx) => {
    const row = await lockConversation(tx, conversation.id)
    if (!row || !(await isUnheard(tx, chunk))) return
    await update(tx, chunk, { failure })
    await wakeFollower(on, tx, row, { seq: chunk.seq, isLost: true, priority })
  })
}

type Chunk = Run['chunk']

const dataOf = ({ conversation_id, seq }: Pick<Chunk, 'conversation_id' | 'seq'>) => ({
  conversation_id,
  seq,
})

/** Nobody heard on meanwhile. */
async function isUnheard(tx: Tx, { conversation_id, seq, transcribed_ms }: Chunk): Promise<boolean> {
  const now = await tx
    .selectFrom('chunks')
    .select(['state', 'transcribed_ms'])
    .where('conversation_id', '=', conversation_id)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return now?.state === 'stored' && now.transcribed_ms === transcribed_ms
}

async function update(
  tx: Tx,
  { conversation_id, seq }: Chunk,
  changes: UpdateObject<Tables, 'chunks'>,
): Promise<void> {
  await tx
    .updateTable('chunks')
    .set(changes)
    .where('conversation_id', '=', conversation_id)
    .where('seq', '=', seq)
    .execute()
}

/** What was heard of it stays. */
const giveUp = (tx: Tx, chunk: Chunk, failure: string): Promise<void> =>
  update(tx, chunk, { state: 'failed', failure, duration_ms: null })

async function write(tx: Tx, chunk: Chunk, hearing: Hearing): Promise<void> {
  const { conversation_id, seq } = chunk
  if (chunk.transcribed_ms === null)
    await tx
      .deleteFrom('segments')
      .where('conversation_id', '=', conversation_id)
      .where('chunk_seq', '=', seq)
      .execute()
  await insert(tx, chunk, await withSeam(tx, chunk, hearing))
  const { heard, isWhole } = hearing
  await update(tx, chunk, {
    ...(isWhole
      ? { state: 'transcribed', duration_ms: heard, transcribed_ms: null }
      : { transcribed_ms: heard }),
    failure: null,
    language: hearing.language ?? chunk.language,
  })
}

/**
 * What was heard again replaces what was heard the first time, if it says the same. If it does not, both stay but for what was
 * heard of the first time's moments alone: a word twice is better than a word lost. Where no sound came with it, nothing new was
 * said.
 */
async function withSeam(
  tx: Tx,
  { conversation_id }: Chunk,
  { seam, phrases, heard }: Hearing,
): Promise<Phrase[]> {
  if (heard <= seam.moment) return []
  if (seam.again.length === 0) return phrases
  if (!isReplaced(seam.again, phrases, seam.moment)) {
    const spokenUntil = seam.again.at(-1)?.end ?? seam.begin
    return phrases
      .filter(({ end }) => end > seam.moment)
      .map((phrase) => ({ ...phrase, start: Math.max(phrase.start, Math.min(spokenUntil, phrase.end)) }))
  }
  for (const { seq, position } of seam.again)
    await tx
      .deleteFrom('segments')
      .where('conversation_id', '=', conversation_id)
      .where('chunk_seq', '=', seq)
      .where('position', '=', position)
      .execute()
  return phrases
}

/** PostgreSQL takes 65,535 parameters in a statement. */
const ROWS_AT_ONCE = 5_000

async function insert(tx: Tx, { conversation_id, seq }: Chunk, phrases: readonly Phrase[]): Promise<void> {
  const last = await tx
    .selectFrom('segments')
    .select('position')
    .where('conversation_id', '=', conversation_id)
    .where('chunk_seq', '=', seq)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const first = (last?.position ?? -1) + 1
  const rows = phrases.map(({ start, end, text }, n) => ({
    conversation_id,
    chunk_seq: seq,
    position: first + n,
    start_ms: start,
    end_ms: Math.max(start, end),
    text: text.replaceAll('\0', '').toWellFormed(),
  }))
  for (let n = 0; n < rows.length; n += ROWS_AT_ONCE)
    await tx
      .insertInto('segments')
      .values(rows.slice(n, n + ROWS_AT_ONCE))
      .execute()
}

/** What a hearing means for its conversation. */
const noteHeard = (
  tx: Tx,
  { id, detected_language }: ConversationRow,
  language: string | null,
): Promise<ConversationRow> =>
  tx
    .updateTable('conversations')
    .set({
      duration_ms: sql`(select coalesce(sum(coalesce(duration_ms, transcribed_ms)), 0) from chunks where conversation_id = ${id})`,
      detected_language: detected_language ?? language,
      changed: sql`pg_current_xact_id()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The next chunk waited for this one. It may have been given up, too, as what it continues had not come: unless that `isLost`. */
async function wakeFollower(
  { jobs }: Lifecycle,
  tx: Tx,
  { id, project_id: projectId, status }: ConversationRow,
  { seq, isLost, priority }: { seq: number; isLost: boolean; priority: number },
): Promise<void> {
  const next = await tx
    .updateTable('chunks')
    .set({ state: 'stored', failure: null, waits_for_previous: false })
    .where('conversation_id', '=', id)
    .where('seq', '=', seq + 1)
    .where((is) =>
      is.or([
        is.and([is('state', '=', 'stored'), is('waits_for_previous', '=', true)]),
        ...(isLost ? [] : [is.and([is('state', '=', 'failed'), is('failure', '=', INCOMPLETE)])]),
      ]),
    )
    .returning(['conversation_id', 'seq'])
    .executeTakeFirst()
  if (!next) return
  const now = status === 'recording' ? PRIORITY.live : priority
  await jobs.enqueue(tx, 'transcribe', dataOf(next), { projectId, priority: now })
}
