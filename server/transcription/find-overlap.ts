import type { Db } from '../../database/database.ts'
import { prepared } from '../../database/prepared-statements.ts'
import {
  type ChunkRow,
  type FileChunks,
  fileChunksUpTo,
  lastChunksUpTo,
  lengthOf,
  lengthOfAll,
  splitIntoFiles,
} from './find-file-chunks.ts'
import { overlapStart, type Phrase } from './overlap.ts'

interface StoredPhrase extends Phrase {
  seq: number
  position: number
}

/** Where a transcription begins. Times are milliseconds from the beginning of its chunk; below 0 before it. */
export interface Overlap {
  /** Audio before it has been transcribed. */
  transcribedTo: number
  /** Transcription begins here, at or before `transcribedTo`. */
  start: number
  /** The stored phrases after `start`, which are transcribed again. */
  earlierPhrases: StoredPhrase[]
  /** The chunks of each file before the chunk's own file that is needed, in order. */
  preRoll: ChunkRow[][]
  /** Where to begin in the first of them. */
  preRollFrom: number
  /** The language of the last phrase before `start`, if it was detected. */
  spokenBefore: string | null
  /** The chunk that ends where this one begins; null if there is none, or it was not transcribed. */
  before: ChunkRow | null
}

/** Nothing is transcribed again: an engine without timestamps cannot say where a phrase begins. */
export function noOverlap({ chunk: { transcribed_ms } }: FileChunks): Overlap {
  const start = transcribed_ms ?? 0
  return {
    transcribedTo: start,
    start,
    earlierPhrases: [],
    preRoll: [],
    preRollFrom: 0,
    spokenBefore: null,
    before: null,
  }
}

/** More than unfinished speech has. */
const LAST_PHRASES = 50
/** How far back a phrase can begin to be transcribed again, and in how many files: each costs a decoder process. */
const REACH_MS = 43_000
const MAX_FILES = 12
/** Chunks that one statement reads. So many chunks of the usual 5 s are longer than REACH_MS. */
const CHUNK_BATCH_SIZE = 16
/**
 * How much audio before its beginning an engine that remembers nothing of the conversation searches for speech again. Speech without
 * a pause is divided every 10 to 20 s, depending on where it began.
 */
export const CONTEXT_MS = 30_000

/** `withPreRoll`: whether the engine can begin in files before the chunk's own. */
export async function findOverlap(db: Db, file: FileChunks, withPreRoll: boolean): Promise<Overlap> {
  const transcribedTo = file.chunk.transcribed_ms ?? 0
  const files = await filesBefore(db, file, withPreRoll)
  const starts = startsOf(files.flat())
  const earliest = -lengthOfAll(files.flat())
  const phrases = (await lastPhrases(db, file, starts)).filter(({ start }) => start >= earliest)
  const start = overlapStart(transcribedTo, phrases, earliest, finishedTo(file.chunk, files.flat()))
  return {
    transcribedTo,
    start,
    earlierPhrases: phrases.filter((phrase) => phrase.start >= start && phrase.end > start),
    ...preRollFor(files.slice(0, -1), start + lengthOfAll(files.at(-1) ?? [])),
    spokenBefore: phrases.findLast(({ end, language }) => end <= start && language)?.language ?? null,
    before: files.flat().at(-1) ?? null,
  }
}

/** The same beginning with more audio before it. */
export async function findContext(
  db: Db,
  file: FileChunks,
  overlap: Overlap,
): Promise<Pick<Overlap, 'start' | 'preRoll' | 'preRollFrom'>> {
  const files = await filesBefore(db, file, true, CONTEXT_MS - overlap.start)
  const start = Math.max(overlap.start - CONTEXT_MS, -lengthOfAll(files.flat()))
  return { start, ...preRollFor(files.slice(0, -1), start + lengthOfAll(files.at(-1) ?? [])) }
}

/** The transcribed chunks before it, by file, as far as a phrase can reach without a gap. The last file, its own, can be empty. */
async function filesBefore(
  db: Db,
  { conversation, chunks }: FileChunks,
  withPreRoll: boolean,
  reachMs = REACH_MS,
): Promise<ChunkRow[][]> {
  const own = chunks.slice(0, -1)
  const files = [own.slice(own.findLastIndex(({ state }) => state === 'failed') + 1)]
  const isOwnWhole = files[0]?.length === own.length
  let head = withPreRoll && isOwnWhole ? (chunks[0]?.seq ?? 0) : 0
  if (head === 0) return files
  const nextFile = await filesUpTo(db, conversation.id, head - 1)
  while (head > 0 && files.length <= MAX_FILES && lengthOfAll(files.flat()) < reachMs) {
    const file = await nextFile(head - 1)
    const isUsable = file.every(({ state }) => state === 'transcribed')
    if (!isUsable || file.at(-1)?.seq !== head - 1 || lengthOfAll(file) === 0) break
    files.unshift(file)
    head = file[0]?.seq ?? 0
  }
  return files
}

/** Reads file after file, backwards: most with one statement for all of them. */
async function filesUpTo(
  db: Db,
  conversationId: string,
  seq: number,
): Promise<(last: number) => Promise<ChunkRow[]>> {
  const chunks = await lastChunksUpTo(db, conversationId, seq, CHUNK_BATCH_SIZE)
  const files = splitIntoFiles(chunks)
  // The first of them can have begun earlier.
  if (chunks.length === CHUNK_BATCH_SIZE) files.shift()
  return async (last) => files.pop() ?? fileChunksUpTo(db, conversationId, last)
}

/** Where each chunk begins, by its number. */
function startsOf(chunks: readonly ChunkRow[]): Map<number, number> {
  const starts = new Map<number, number>()
  let at = 0
  for (const chunk of chunks.toReversed()) {
    at -= lengthOf(chunk)
    starts.set(chunk.seq, at)
  }
  return starts
}

/** Where speech begins that continued at the end of the audio before, if the engine detected it. */
function finishedTo({ transcribed_ms, finished_ms }: ChunkRow, before: readonly ChunkRow[]): number | null {
  if (transcribed_ms !== null) return finished_ms
  const last = before.at(-1)
  return last && last.finished_ms !== null ? last.finished_ms - lengthOf(last) : null
}

async function lastPhrases(
  db: Db,
  { conversation, chunk }: FileChunks,
  starts: Map<number, number>,
): Promise<StoredPhrase[]> {
  const known = new Map(chunk.transcribed_ms === null ? starts : [...starts, [chunk.seq, 0] as const])
  const rows = await db
    .selectFrom('segments')
    .select(['chunk_seq', 'position', 'start_ms', 'end_ms', 'text', 'language'])
    .where('conversation_id', '=', conversation.id)
    .where('chunk_seq', '<=', chunk.transcribed_ms === null ? chunk.seq - 1 : chunk.seq)
    .orderBy('chunk_seq', 'desc')
    .orderBy('position', 'desc')
    .limit(LAST_PHRASES)
    .modifyEnd(prepared)
    .execute()
  return rows.toReversed().flatMap(({ chunk_seq: seq, position, start_ms, end_ms, text, language }) => {
    const at = known.get(seq)
    const detected = language !== null && { language }
    return at === undefined
      ? []
      : [{ seq, position, start: at + start_ms, end: at + end_ms, text, ...detected }]
  })
}

/** The last of these files, from the one that contains `start` on. The chunk's own file begins at 0, so `start` is negative. */
function preRollFor(files: ChunkRow[][], start: number): Pick<Overlap, 'preRoll' | 'preRollFrom'> {
  let fileStart = 0
  let first = files.length
  while (first > 0 && start < fileStart) {
    first--
    fileStart -= lengthOfAll(files[first] ?? [])
  }
  return { preRoll: files.slice(first), preRollFrom: first < files.length ? start - fileStart : 0 }
}
