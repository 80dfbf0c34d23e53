import type { Db } from '../../database/database.ts'
import { type ChunkRow, isUnbroken, lengthOf, lengthOfAll, type Run, runUpTo } from './find-file-chunks.ts'
import { type Phrase, seamAt } from './overlap.ts'

/** A phrase that was written down, and where. */
interface WrittenPhrase extends Phrase {
  seq: number
  position: number
}

/** Where a hearing begins. Times are milliseconds from the beginning of the chunk that is to be heard, below 0 before it. */
export interface Seam {
  /** What lies before this was heard. */
  moment: number
  begin: number
  /** What was heard from `begin` on, and is heard again. */
  again: WrittenPhrase[]
  /** Files before the chunk's own that are needed for it, in order, and where to begin in the first. */
  lead: ChunkRow[][]
  leadFrom: number
}

/** For an engine that does not tell when a phrase began. */
export const withoutSeam = ({ chunk }: Run): Seam => {
  const moment = chunk.transcribed_ms ?? 0
  return { moment, begin: moment, again: [], lead: [], leadFrom: 0 }
}

const LAST_PHRASES = 2
/** No phrase is heard again that began longer ago, or so many files: each costs a decoder. */
const REACH_MS = 25_000
const MOST_FILES = 12

/** `leads`: whether also in files before the chunk's own. */
export async function findSeam(db: Db, run: Run, leads: boolean): Promise<Seam> {
  const moment = run.chunk.transcribed_ms ?? 0
  const files = await audibleBefore(db, run, leads)
  const starts = startsOf(files.flat())
  const earliest = -lengthOfAll(files.flat())
  const phrases = (await lastPhrases(db, run, starts)).filter(({ start }) => start >= earliest)
  const begin = seamAt(moment, phrases, earliest)
  const again = phrases.filter(({ start, end }) => start >= begin && end > begin)
  return { moment, begin, again, ...leadTo(files.slice(0, -1), begin + lengthOfAll(files.at(-1) ?? [])) }
}

/**
 * The files before the chunk, and of its own file what precedes it: as far as a phrase can reach back without a hole or
 * something that could not be heard. The own file is the last, and may be empty.
 */
async function audibleBefore(db: Db, { conversation, chunks }: Run, leads: boolean): Promise<ChunkRow[][]> {
  const own = chunks.slice(0, -1)
  const files = [own.slice(own.findLastIndex(({ state }) => state === 'failed') + 1)]
  const isOwnWhole = files[0]?.length === own.length
  let head = leads && isOwnWhole ? (chunks[0]?.seq ?? 0) : 0
  while (head > 0 && files.length <= MOST_FILES && lengthOfAll(files.flat()) < REACH_MS) {
    const file = await runUpTo(db, conversation.id, head - 1)
    const isAudible = isUnbroken(file) && file.every(({ state }) => state === 'transcribed')
    if (!isAudible || file.at(-1)?.seq !== head - 1 || lengthOfAll(file) === 0) break
    files.unshift(file)
    head = file[0]?.seq ?? 0
  }
  return files
}

/** Of each chunk, by its number. */
function startsOf(chunks: readonly ChunkRow[]): Map<number, number> {
  const starts = new Map<number, number>()
  let at = 0
  for (const chunk of chunks.toReversed()) {
    at -= lengthOf(chunk)
    starts.set(chunk.seq, at)
  }
  return starts
}

async function lastPhrases(
  db: Db,
  { conversation, chunk }: Run,
  starts: Map<number, number>,
): Promise<WrittenPhrase[]> {
  const known = new Map(chunk.transcribed_ms === null ? starts : [...starts, [chunk.seq, 0] as const])
  const rows = await db
    .selectFrom('segments')
    .select(['chunk_seq', 'position', 'start_ms', 'end_ms', 'text'])
    .where('conversation_id', '=', conversation.id)
    .where('chunk_seq', '<=', chunk.transcribed_ms === null ? chunk.seq - 1 : chunk.seq)
    .orderBy('chunk_seq', 'desc')
    .orderBy('position', 'desc')
    .limit(LAST_PHRASES)
    .execute()
  return rows.toReversed().flatMap(({ chunk_seq: seq, position, start_ms, end_ms, text }) => {
    const at = known.get(seq)
    return at === undefined ? [] : [{ seq, position, start: at + start_ms, end: at + end_ms, text }]
  })
}

/** Of the files that end where the chunk's own begins those that `begin` reaches, in milliseconds from there. */
function leadTo(files: ChunkRow[][], begin: number): Pick<Seam, 'lead' | 'leadFrom'> {
  let start = 0
  let first = files.length
  while (first > 0 && begin < start) {
    first--
    start -= lengthOfAll(files[first] ?? [])
  }
  return { lead: files.slice(first), leadFrom: first < files.length ? begin - start : 0 }
}
