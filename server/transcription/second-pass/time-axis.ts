import { type ChunkRow, lengthOf, lengthOfAll } from '../find-file-chunks.ts'

/** Transcribed chunks that follow each other without a gap, by file. */
interface ContiguousChunks {
  files: ChunkRow[][]
  start: number
  end: number
}

/**
 * Where each chunk begins, in milliseconds of the transcribed audio. Missing and failed chunks are left out, and the rest of their
 * files: the decoder's times are not certain there, so that the first text stays.
 */
export interface TimeAxis {
  runs: ContiguousChunks[]
  starts: ReadonlyMap<number, number>
}

/** Between runs, so that no phrase of one seems to overlap with one of the next. */
const BREAK_MS = 10_000

export function timeAxis(chunks: readonly ChunkRow[]): TimeAxis {
  const runs: ContiguousChunks[] = []
  const starts = new Map<number, number>()
  let previous: ChunkRow | undefined
  let isUsable = false
  for (const chunk of chunks) {
    const follows = previous?.seq === chunk.seq - 1
    const isSameFile = follows && chunk.container === null
    const wasUsable: boolean = isUsable
    isUsable = chunk.state === 'transcribed' && (!isSameFile || wasUsable)
    previous = chunk
    if (!isUsable) continue
    const last = runs.at(-1)
    const run = last && follows && wasUsable ? last : newRun(runs)
    if (isSameFile && run === last) run.files.at(-1)?.push(chunk)
    else run.files.push([chunk])
    starts.set(chunk.seq, run.end)
    run.end += lengthOf(chunk)
  }
  return { runs, starts }
}

function newRun(runs: ContiguousChunks[]): ContiguousChunks {
  const last = runs.at(-1)
  const start = last ? last.end + BREAK_MS : 0
  const run = { files: [], start, end: start }
  runs.push(run)
  return run
}

/** The chunk in which a phrase ends, as the first pass stores it. */
export function chunkAt({ runs, starts }: TimeAxis, end: number): number {
  const run = runs.find((one) => one.end >= end) ?? runs.at(-1)
  const chunks = run?.files.flat() ?? []
  const found = chunks.findLast(({ seq }) => (starts.get(seq) ?? 0) < end)
  return (found ?? chunks[0])?.seq ?? 0
}

/** The part of a recording that one job transcribes. */
export interface Part {
  start: number
  end: number
  /** The files with audio of it, in order; the last one only as far as needed. */
  files: ChunkRow[][]
}

interface Span {
  start: number
  end: number
}

/** The small model takes up to 20 s for it, which live audio can have to wait. */
const PART_MS = 30_000
/** Each costs a decoder process. */
const MAX_FILES = 12

/**
 * The part after `done`; null at the end. It ends in the longest pause between the phrases of the first pass, so that no word is cut
 * off.
 */
export function nextPart(axis: TimeAxis, phrases: readonly Span[], done: number): Part | null {
  // A chunk without audio can be a run of no length.
  const run = axis.runs.find(({ start, end }) => end > Math.max(start, done))
  if (!run) return null
  const start = Math.max(done, run.start)
  const startOf = (file: readonly ChunkRow[]): number => axis.starts.get(file[0]?.seq ?? -1) ?? 0
  const isAfterStart = (file: readonly ChunkRow[]): boolean => startOf(file) + lengthOfAll(file) > start
  const following = run.files.filter(isAfterStart).slice(0, MAX_FILES)
  const last = following.at(-1) ?? []
  const limit = Math.min(start + PART_MS, startOf(last) + lengthOfAll(last))
  const end = limit >= run.end ? run.end : endOfPart(phrases, start, limit)
  const files = following
    .map((file) => file.filter(({ seq }) => (axis.starts.get(seq) ?? 0) < end))
    .filter((file) => lengthOfAll(file) > 0)
  return { start, end, files }
}

/** Shorter ones can be within a sentence, or only between two segments. */
const PAUSE_MS = 300

/** In a pause of the second half, else of the first; without any, between two phrases or at the limit. */
function endOfPart(phrases: readonly Span[], start: number, limit: number): number {
  const late = longestPause(phrases, start + (limit - start) / 2, limit)
  if (late.length >= PAUSE_MS) return late.middle
  const any = longestPause(phrases, start + (limit - start) / 8, limit)
  return any.length >= PAUSE_MS ? any.middle : late.middle
}

/** The longest pause between the two times. */
function longestPause(phrases: readonly Span[], earliest: number, latest: number) {
  let best = { length: -1, middle: latest }
  let pauseStart = 0
  for (const { start, end } of [...phrases, { start: latest, end: latest }]) {
    const [from, to] = [Math.max(pauseStart, earliest), Math.min(start, latest)]
    if (to - from >= best.length && to >= from)
      best = { length: to - from, middle: Math.round((from + to) / 2) }
    pauseStart = Math.max(pauseStart, end)
  }
  return best
}
