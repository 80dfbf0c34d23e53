import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import type { ParticipantConversation } from '../../auth/index.ts'
import { findConversation } from '../find-conversation.ts'
import { formatCode } from '../short-code.ts'
import { loadTranscript } from '../transcript/load-transcript.ts'
import { plainTranscript } from '../transcript/time-line.ts'
import { endOf } from './end-of-text.ts'
import { readTail, type Tail } from './read-tail.ts'
import type { ConversationProgress } from './schema.ts'

/** Received and missing chunks and the transcript so far: enough to resume after a lost connection. */
export async function readProgress(
  db: Db,
  conversation: ParticipantConversation,
  tail?: number,
): Promise<z.output<typeof ConversationProgress>> {
  const last = tail === undefined ? null : await readTail(db, conversation.id, tail)
  const { received, text, isTruncated } = last ?? (await readWhole(db, conversation, tail))
  return {
    id: conversation.id,
    status: conversation.status,
    code: conversation.code && formatCode(conversation.code),
    received,
    missing: missingBetween(received),
    transcript_so_far: text,
    transcript_truncated: isTruncated,
  }
}

async function readWhole(db: Db, conversation: ParticipantConversation, tail?: number): Promise<Tail> {
  const seqs = await receivedSeqs(db, conversation.id)
  const { speakers } = await findConversation(db, conversation.id)
  const text = plainTranscript(await loadTranscript(db, { ...conversation, speakers }))
  const shown = tail === undefined ? text : endOf(text, tail)
  return { received: toRanges(seqs), text: shown, isTruncated: shown.length < text.length }
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

const MAX_MISSING = 1_000

/** Missing numbers below the highest received one, at most a thousand of them. */
function missingBetween(ranges: readonly (readonly [number, number])[]): number[] {
  const missing: number[] = []
  let next = 0
  for (const [first, last] of ranges) {
    for (let seq = next; seq < first && missing.length < MAX_MISSING; seq++) missing.push(seq)
    next = last + 1
  }
  return missing
}

/** Missing numbers below `count`, at most a thousand of them. */
export function missingBelow(seqs: number[], count: number): number[] {
  return missingBetween([...toRanges(seqs.filter((seq) => seq < count)), [count, count]])
}
