import type { Db, Tx } from '../../../database/database.ts'
import { type Answer, found } from '../../api/response.ts'
import { loadTranscript } from '../load-transcript.ts'
import type { AdmittedConversation } from './admit-participant.ts'

/** What has arrived, what is missing, and the text so far: enough to go on after a lost connection. */
export async function readProgress(db: Db, conversation: AdmittedConversation): Promise<Answer> {
  const seqs = await receivedSeqs(db, conversation.id)
  const { text } = await loadTranscript(db, conversation)
  return found({
    id: conversation.id,
    status: conversation.status,
    received: toRanges(seqs),
    missing: missingBelow(seqs, (seqs.at(-1) ?? -1) + 1),
    transcript_so_far: text,
  })
}

export async function receivedSeqs(db: Db | Tx, conversationId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq }) => seq)
}

/** `[0, 1, 2, 5]` as `[[0, 2], [5, 5]]`. */
function toRanges(seqs: number[]): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const seq of seqs) {
    const range = ranges.at(-1)
    if (range && range[1] === seq - 1) range[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges
}

/** Of those below `count`; a thousand tell enough. */
export function missingBelow(seqs: number[], count: number): number[] {
  const there = new Set(seqs)
  const missing: number[] = []
  for (let seq = 0; seq < count && missing.length < 1_000; seq++) if (!there.has(seq)) missing.push(seq)
  return missing
}
