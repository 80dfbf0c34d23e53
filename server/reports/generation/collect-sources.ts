import type { Db } from '../../../database/database.ts'
import { breakBefore } from '../../../grounding/text/sentences.ts'
import { type ConversationRow, loadTranscript, type TranscriptPiece } from '../../conversations/index.ts'
import { isUsable, marked, type ReportSource } from '../../summaries/index.ts'
import type { LeftOut, Position } from '../render/report-document.ts'
import { MAX_CONVERSATIONS, type ReportRow } from '../schema.ts'

/** The sources of a report, and how many conversations were left out. */
export interface CollectedSources {
  conversations: ConversationRow[]
  sources: ReportSource[]
  /** The position of each utterance, by its id in `sources`. */
  positions: Map<string, Position>
  leftOut: LeftOut
}

type Request = Pick<ReportRow, 'project_id' | 'conversation_ids'>

const UNFINISHED = ['recording', 'transcribing'] as const

/** Loads the current transcripts. A conversation whose summary failed has a transcript, and is used like the others. */
export async function collectSources(db: Db, request: Request): Promise<CollectedSources> {
  const { counts, newest } = await selectConversations(db, request)
  const { finished, ...left } = counts
  const collected: CollectedSources = {
    conversations: [],
    sources: [],
    positions: new Map(),
    leftOut: { ...left, failed: 0, empty: 0, over_limit: Math.max(0, finished - MAX_CONVERSATIONS) },
  }
  for (const id of newest) await loadSource(db, id, collected)
  return collected
}

/** Reads one snapshot: a conversation that finishes between two queries would be counted twice. */
const selectConversations = (db: Db, request: Request) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      counts: await countRequested(tx, request),
      newest: await newestFinished(tx, request),
    }))

/** Deleted conversations count only if they were requested by id. */
function requested(db: Db, { project_id, conversation_ids }: Request) {
  const own = db.selectFrom('conversations').where('project_id', '=', project_id)
  return conversation_ids ? own.where('id', 'in', conversation_ids) : own.where('deleted_at', 'is', null)
}

const countRequested = (db: Db, request: Request) =>
  requested(db, request)
    .select(({ fn }) => {
      const existing = fn.countAll<number>().filterWhere('deleted_at', 'is', null)
      return [
        fn.countAll<number>().filterWhere('deleted_at', 'is not', null).as('erased'),
        existing.filterWhere('status', 'in', UNFINISHED).as('not_finished'),
        existing.filterWhere('status', 'not in', UNFINISHED).as('finished'),
      ]
    })
    .executeTakeFirstOrThrow()

/** The newest ones, oldest first. */
async function newestFinished(db: Db, request: Request): Promise<string[]> {
  const rows = await requested(db, request)
    .select('id')
    .where('deleted_at', 'is', null)
    .where('status', 'not in', UNFINISHED)
    .orderBy('id', 'desc')
    .limit(MAX_CONVERSATIONS)
    .execute()
  return rows.map(({ id }) => id).reverse()
}

async function loadSource(db: Db, id: string, collected: CollectedSources): Promise<void> {
  const { conversations, sources, positions, leftOut } = collected
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return void leftOut.erased++
  const pieces = await loadTranscript(db, row)
  const utterances = pieces.flatMap((piece) => toUtterance(piece, sources.length + 1, id, positions))
  if (utterances.length === 0) return void leftOut[row.status === 'failed' ? 'failed' : 'empty']++
  conversations.push(row)
  const { title, participant_name: participant, detected_language, language, tags } = row
  sources.push({ id, title, participant, language: detected_language ?? language, tags, utterances })
}

const MAX_EXCERPT = 300

/** A written text can have many pages. */
const excerpt = (text: string): string =>
  text.length <= MAX_EXCERPT ? text : `${text.slice(0, breakBefore(text, MAX_EXCERPT)).trimEnd()} …`

/** The ids are short and unique over all conversations, because a model repeats them. */
function toUtterance(
  piece: TranscriptPiece,
  number: number,
  conversation_id: string,
  positions: CollectedSources['positions'],
) {
  if ('gap' in piece || piece.text.trim() === '' || !isUsable(piece)) return []
  const id = `${number}-${piece.id}`
  const start_ms = 'written' in piece ? null : piece.start_ms
  const unclear = !('written' in piece) && piece.unclear === true
  const text = excerpt(piece.text)
  positions.set(id, { conversation_id, start_ms, text: unclear ? marked(text) : text })
  return [{ id, start: start_ms === null ? null : start_ms / 1000, text: piece.text, unclear }]
}
