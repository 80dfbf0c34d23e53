import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import { formatCode } from '../../../platform/short-code.ts'
import type { ParticipantConversation } from '../../auth/index.ts'
import { loadTranscript } from '../transcript/load-transcript.ts'
import { endOf } from './end-of-text.ts'
import type { ConversationProgress } from './schema.ts'

/** Received and missing chunks and the transcript so far: enough to resume after a lost connection. */
export async function readProgress(
  db: Db,
  conversation: ParticipantConversation,
  tail?: number,
): Promise<z.output<typeof ConversationProgress>> {
  const seqs = await receivedSeqs(db, conversation.id)
  const { text } = await loadTranscript(db, conversation)
  const shown = tail === undefined ? text : endOf(text, tail)
  return {
    id: conversation.id,
    status: conversation.status,
    code: conversation.code && formatCode(conversation.code),
    received: toRanges(seqs),
    missing: missingBelow(seqs, (seqs.at(-1) ?? -1) + 1),
    transcript_so_far: shown,
    transcript_truncated: shown.length < text.length,
  }
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

/** Missing numbers below `count`, at most a thousand of them. */
export function missingBelow(seqs: number[], count: number): number[] {
  const received = new Set(seqs)
  const missing: number[] = []
  for (let seq = 0; seq < count && missing.length < 1_000; seq++) if (!received.has(seq)) missing.push(seq)
  return missing
}
