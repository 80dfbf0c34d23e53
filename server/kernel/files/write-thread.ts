import { writevSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type Measure, type Measured, startMeasure } from './measure.ts'

/** Bytes for an open file, in the order in which they come. */
export interface Portion {
  /** Tells files apart. */
  file: number
  /** Whoever opened it closes it. */
  descriptor: number
  parts: Uint8Array[]
  next: 'more' | 'end' | 'abandon'
}

/** What is left of buffers on their way between threads. */
type Moved = Record<'digest' | 'head', Uint8Array<ArrayBuffer>> & Pick<Measured, 'bytes'>

/** One for each portion; measured at the end. */
export interface Taken {
  measured?: Moved
  error?: { code: unknown; message: string }
}

const measures = new Map<number, Measure>()

parentPort?.on('message', (portion: Portion) => parentPort?.postMessage(take(portion)))

function take({ file, descriptor, parts, next }: Portion): Taken {
  const measure = measures.get(file) ?? startMeasure()
  measures.set(file, measure)
  if (next !== 'more') measures.delete(file)
  try {
    writeAll(descriptor, parts)
    for (const part of parts) measure.add(part)
    giveBack(parts)
    return next === 'end' ? { measured: movable(measure.result()) } : {}
  } catch (error) {
    return { error: { code: (error as NodeJS.ErrnoException).code, message: String(error) } }
  }
}

/** In memory of its own: a view into Node's pool would take the whole pool along to another thread. */
const movable = ({ bytes, digest, head }: Measured): Moved => ({
  bytes,
  digest: new Uint8Array(digest),
  head: new Uint8Array(head),
})

/** A disk that is nearly full takes some of it; the rest tells why. */
function writeAll(descriptor: number, parts: Uint8Array[]): void {
  let rest = parts.filter(({ byteLength }) => byteLength > 0)
  while (rest.length > 0) rest = after(rest, writevSync(descriptor, rest))
}

function after(parts: Uint8Array[], written: number): Uint8Array[] {
  let skipped = written
  const rest = parts.filter(({ byteLength }) => {
    const isWritten = byteLength <= skipped
    if (isWritten) skipped -= byteLength
    return !isWritten
  })
  return skipped === 0 ? rest : [(rest[0] as Uint8Array).subarray(skipped), ...rest.slice(1)]
}

/** The memory of what is written, now and not when V8 gets to it. */
function giveBack(parts: Uint8Array[]): void {
  for (const { buffer } of parts) (buffer as ArrayBuffer).transfer(0)
}
