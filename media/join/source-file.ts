import { readFile } from 'node:fs/promises'
import type { Container } from '../containers/container.ts'

export interface JoinPart {
  path: string
  container: Container
  /** Not a file of its own: its bytes continue the part before. */
  continuation: boolean
  /** What lay between the part before and this one never arrived. */
  afterLoss?: boolean
}

/** Some bytes of a file; without an end, to its end. */
export interface Span {
  path: string
  start: number
  end?: number
}

/** One readable file, in as many parts as it was sent in. */
export interface Piece {
  container: Container
  spans: Span[]
  /** The numbers of the parts it is made of. */
  parts: number[]
}

/**
 * Where a decoder can begin anew within a recording, given the recording's head: a cluster, a fragment with its size before
 * it. Elsewhere every page or frame is such a place, and readers find the next by themselves.
 */
const entrances: Partial<Record<Container, { sign: Buffer; before: number }>> = {
  webm: { sign: Buffer.from('1f43b675', 'hex'), before: 0 },
  mp4: { sign: Buffer.from('moof'), before: 4 },
}

/**
 * Parts put together to files. Behind a loss a file of its own begins at the next entrance, with the head of the recording
 * before it: read on in the middle of a cluster, sizes would be taken from sound, and skip what follows. A continuation of nothing,
 * or without an entrance behind a loss, belongs to no piece.
 */
export async function piecesOf(parts: readonly JoinPart[]): Promise<Piece[]> {
  const pieces: Piece[] = []
  let isBroken = false
  for (const [index, part] of parts.entries()) {
    const piece = pieces.at(-1)
    isBroken = part.continuation && (isBroken || part.afterLoss === true)
    if (!part.continuation)
      pieces.push({ container: part.container, spans: [wholeFile(part)], parts: [index] })
    else if (piece && !(isBroken && entrances[piece.container])) {
      piece.spans.push(wholeFile(part))
      piece.parts.push(index)
    } else if (piece) {
      const spans = await spansBehindLoss(piece, part)
      if (spans) pieces.push({ container: piece.container, spans, parts: [index] })
      isBroken = spans === null
    }
  }
  return pieces
}

const wholeFile = ({ path }: JoinPart): Span => ({ path, start: 0 })

async function spansBehindLoss({ container, spans }: Piece, part: JoinPart): Promise<Span[] | null> {
  const [head] = spans
  const headEnd = head && (await entranceOf(head.path, container))
  const start = await entranceOf(part.path, container)
  return head && headEnd && start !== null
    ? [
        { path: head.path, start: 0, end: headEnd },
        { path: part.path, start },
      ]
    : null
}

/** A part is small enough to be read as a whole: so it was when it arrived. */
async function entranceOf(path: string, container: Container): Promise<number | null> {
  const entrance = entrances[container]
  const at = entrance ? (await readFile(path)).indexOf(entrance.sign) - entrance.before : -1
  return at < 0 ? null : at
}
