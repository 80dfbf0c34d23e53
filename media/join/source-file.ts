import { readFile } from 'node:fs/promises'
import type { Container } from '../containers/container.ts'

export interface JoinPart {
  path: string
  container: Container
  /** Its bytes continue the part before, without a header. */
  continuation: boolean
  /** A part between this one and the part before never arrived. */
  afterLoss?: boolean
}

/** A range of bytes of a file; without `end`, up to the end of the file. */
export interface Span {
  path: string
  start: number
  end?: number
}

/** One audio file, assembled from the parts in which it was sent. */
export interface SourceFile {
  container: Container
  spans: Span[]
  /** The numbers of its parts. */
  parts: number[]
}

/** Where a decoder that knows the header can restart: a cluster, or a fragment after its size. Others find the next page or frame. */
const RESTART_POINTS: Partial<Record<Container, { mark: Buffer; before: number }>> = {
  webm: { mark: Buffer.from('1f43b675', 'hex'), before: 0 },
  mp4: { mark: Buffer.from('moof'), before: 4 },
}

/**
 * After a loss a new file begins at the next restart point, with the header before it: a reader that continued within a cluster would
 * take sizes from audio data. A continuation without a file before it, or without a restart point, belongs to no file.
 */
export async function assembleFiles(parts: readonly JoinPart[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  let isBroken = false
  for (const [index, part] of parts.entries()) {
    const file = files.at(-1)
    isBroken = part.continuation && (isBroken || part.afterLoss === true)
    if (!part.continuation)
      files.push({ container: part.container, spans: [wholeFile(part)], parts: [index] })
    else if (file && !(isBroken && RESTART_POINTS[file.container])) {
      file.spans.push(wholeFile(part))
      file.parts.push(index)
    } else if (file) {
      const spans = await spansAfterLoss(file, part)
      if (spans) files.push({ container: file.container, spans, parts: [index] })
      isBroken = spans === null
    }
  }
  return files
}

const wholeFile = ({ path }: JoinPart): Span => ({ path, start: 0 })

async function spansAfterLoss({ container, spans }: SourceFile, part: JoinPart): Promise<Span[] | null> {
  const [head] = spans
  const headEnd = head && (await restartPointOf(head.path, container))
  const start = await restartPointOf(part.path, container)
  return head && headEnd && start !== null
    ? [
        { path: head.path, start: 0, end: headEnd },
        { path: part.path, start },
      ]
    : null
}

/** Reads the whole part: its size was limited when it arrived. */
async function restartPointOf(path: string, container: Container): Promise<number | null> {
  const point = RESTART_POINTS[container]
  const at = point ? (await readFile(path)).indexOf(point.mark) - point.before : -1
  return at < 0 ? null : at
}
