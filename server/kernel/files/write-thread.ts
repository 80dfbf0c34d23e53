import { closeSync, openSync, writevSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type Measure, type Measured, startMeasure } from './measure.ts'

/** Bytes for a new file at `path`, in the order in which they come; its last message says so. */
export interface Portion {
  /** Tells files apart. */
  file: number
  path: string
  parts: Uint8Array[]
  next: 'more' | 'end' | 'abandon'
}

/** One for each portion. At the end the descriptor is handed over: its new owner waits for the disk, and closes it. */
export interface Taken {
  written?: Measured & { descriptor: number }
  error?: { code: unknown; message: string }
}

interface OpenFile {
  descriptor: number
  measure: Measure
}

const files = new Map<number, OpenFile>()

parentPort?.on('message', (portion: Portion) => parentPort?.postMessage(take(portion)))

function take({ file, path, parts, next }: Portion): Taken {
  try {
    if (next === 'abandon') return abandon(file)
    const { descriptor, measure } = files.get(file) ?? start(file, path)
    writeAll(descriptor, parts)
    for (const part of parts) measure.add(part)
    giveBack(parts)
    if (next === 'more') return {}
    files.delete(file)
    return { written: { ...measure.result(), descriptor } }
  } catch (error) {
    abandon(file)
    return { error: { code: (error as NodeJS.ErrnoException).code, message: String(error) } }
  }
}

function start(file: number, path: string): OpenFile {
  const opened = { descriptor: openSync(path, 'wx'), measure: startMeasure() }
  files.set(file, opened)
  return opened
}

function abandon(file: number): Taken {
  const opened = files.get(file)
  files.delete(file)
  if (opened) closeSync(opened.descriptor)
  return {}
}

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
