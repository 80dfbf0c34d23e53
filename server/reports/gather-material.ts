import type { Db } from '../../database/database.ts'
import { type ConversationRow, loadTranscript, type TranscriptPiece } from '../conversations/index.ts'
import type { ReportSource } from '../summaries/index.ts'
import type { LeftOut } from './render/report-document.ts'
import { MAX_CONVERSATIONS, type ReportRow } from './schema.ts'

/** What a report is made from, and what it is made without. */
export interface Material {
  conversations: ConversationRow[]
  sources: ReportSource[]
  places: Places
  leftOut: LeftOut
}

/** Where an utterance was said. */
type Places = Map<string, { conversation_id: string; start_ms: number | null }>
type Choice = Pick<ReportRow, 'project_id' | 'conversation_ids'>

const UNFINISHED = ['recording', 'transcribing'] as const

/** What the conversations say at this moment. One whose summary failed has a transcript: it is used like the others. */
export async function gatherMaterial(db: Db, choice: Choice): Promise<Material> {
  const { counts, newest } = await choose(db, choice)
  const { finished, ...left } = counts
  const material: Material = {
    conversations: [],
    sources: [],
    places: new Map(),
    leftOut: { ...left, failed: 0, empty: 0, over_limit: Math.max(0, finished - MAX_CONVERSATIONS) },
  }
  for (const id of newest) await read(db, id, material)
  return material
}

/** Of one moment: what finishes between two could be counted twice. */
const choose = (db: Db, choice: Choice) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      counts: await countChosen(tx, choice),
      newest: await newestFinished(tx, choice),
    }))

/** All that were asked for. Who asks for all that there are does not ask for those that are gone. */
function chosen(db: Db, { project_id, conversation_ids }: Choice) {
  const own = db.selectFrom('conversations').where('project_id', '=', project_id)
  return conversation_ids ? own.where('id', 'in', conversation_ids) : own.where('deleted_at', 'is', null)
}

const countChosen = (db: Db, choice: Choice) =>
  chosen(db, choice)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('deleted_at', 'is not', null).as('erased'),
      fn
        .countAll<number>()
        .filterWhere('deleted_at', 'is', null)
        .filterWhere('status', 'in', UNFINISHED)
        .as('not_finished'),
      fn
        .countAll<number>()
        .filterWhere('deleted_at', 'is', null)
        .filterWhere('status', 'not in', UNFINISHED)
        .as('finished'),
    ])
    .executeTakeFirstOrThrow()

/** In the order of their beginnings. */
async function newestFinished(db: Db, choice: Choice): Promise<string[]> {
  const rows = await chosen(db, choice)
    .select('id')
    .where('deleted_at', 'is', null)
    .where('status', 'not in', UNFINISHED)
    .orderBy('id', 'desc')
    .limit(MAX_CONVERSATIONS)
    .execute()
  return rows.map(({ id }) => id).reverse()
}

async function read(db: Db, id: string, material: Material): Promise<void> {
  const { conversations, sources, places, leftOut } = material
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return void leftOut.erased++
  const { pieces } = await loadTranscript(db, row)
  const utterances = pieces.flatMap((piece) => toUtterance(piece, sources.length + 1, id, places))
  if (utterances.length === 0) return void leftOut[row.status === 'failed' ? 'failed' : 'empty']++
  conversations.push(row)
  sources.push({
    id,
    title: row.title,
    participant: row.participant_name,
    language: row.detected_language ?? row.language,
    utterances,
  })
}

/** Numbered over all conversations, shortly: a model repeats the ids. */
function toUtterance(piece: TranscriptPiece, number: number, conversation_id: string, places: Places) {
  if ('gap' in piece || piece.text.trim() === '') return []
  const id = `${number}-${piece.id}`
  const start_ms = 'written' in piece ? null : piece.start_ms
  places.set(id, { conversation_id, start_ms })
  return [{ id, start: start_ms === null ? null : start_ms / 1000, text: piece.text }]
}
