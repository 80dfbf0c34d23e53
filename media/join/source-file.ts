import { readFile } from 'node:fs/promises'
import { continueFile } from '../after-loss/continue-file.ts'
import type { Span } from '../after-loss/span.ts'
import { endOfWholeBlocks } from '../after-loss/webm-restart.ts'
import type { Container } from '../containers/container.ts'

export interface JoinPart {
  path: string
  container: Container
  /** Its bytes continue the part before, without a header. */
  continuation: boolean
  /** A part between this one and the part before never arrived. */
  afterLoss?: boolean
  /** How long the recorder was asked to make its slices. */
  sliceSeconds?: number | null
  /** Where its audio begins in the joined file; undefined: after the part before. */
  startMs?: number
}

/** One audio file, assembled from the parts in which it was sent. */
export interface SourceFile {
  container: Container
  spans: Span[]
  /** The numbers of its parts. */
  parts: number[]
  startMs?: number
}

/**
 * After a loss a new file begins, with a borrowed header: a reader that continued within a cluster would take sizes from audio data.
 * Parts without a restart point belong to no file.
 */
export async function assembleFiles(parts: readonly JoinPart[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const numbers of runsOf(parts)) {
    const first = parts[numbers[0] as number] as JoinPart
    const spans = numbers.map((n) => ({ path: parts[n]?.path as string, start: 0 }))
    const file = first.continuation
      ? await afterLoss(parts, numbers)
      : { container: first.container, spans, parts: numbers, ...startOf(first) }
    const isBeforeLoss = parts[(numbers.at(-1) ?? 0) + 1]?.afterLoss === true
    if (file && isBeforeLoss && file.container === 'webm') await trimEnd(file)
    if (file) files.push(file)
    else if (!RESTARTABLE.has(first.container)) {
      // Decoders of these find the next frame.
      files.at(-1)?.spans.push(...spans)
      files.at(-1)?.parts.push(...numbers)
    }
  }
  return files
}

const RESTARTABLE = new Set<Container>(['webm', 'mp4', 'ogg', 'wav'])

/** The numbers of the parts, grouped to files: each begins with a header or after a loss. */
function runsOf(parts: readonly JoinPart[]): number[][] {
  const runs: number[][] = []
  for (const [index, { continuation, afterLoss }] of parts.entries())
    if (continuation && !afterLoss && index > 0) runs.at(-1)?.push(index)
    else runs.push([index])
  return runs
}

async function afterLoss(parts: readonly JoinPart[], numbers: number[]): Promise<SourceFile | null> {
  const paths = numbers.map((n) => parts[n]?.path as string)
  const index = numbers[0] as number
  const found = await continueFile(paths, headerFor(parts, index), parts[index]?.sliceSeconds)
  if (!found) return null
  const { container, spans, firstPart } = found
  const used = numbers.slice(firstPart)
  return { container, spans, parts: used, ...startOf(parts[used[0] as number] as JoinPart) }
}

async function trimEnd({ spans }: SourceFile): Promise<void> {
  const last = spans.at(-1)
  if (last && 'path' in last)
    last.end = last.start + endOfWholeBlocks((await readFile(last.path)).subarray(last.start))
}

const startOf = ({ startMs }: JoinPart): { startMs?: number } => (startMs === undefined ? {} : { startMs })

/** The part with the header: the beginning of the file that it continues, or of the next file if that is missing. */
const headerFor = (parts: readonly JoinPart[], index: number): JoinPart | null =>
  parts.slice(0, index).findLast(({ continuation }) => !continuation) ??
  parts.slice(index).find(({ continuation, container }) => !continuation && container !== 'wav') ??
  null
