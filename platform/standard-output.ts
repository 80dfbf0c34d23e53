import { fstatSync, write, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Takes text at once; it is written when it can be. */
export interface StandardOutput {
  write(text: string): void
}

const STDOUT = 1
const NOTHING = Buffer.alloc(0)
/** A write per line costs more than the line: they go out together, at least every quarter of a second and at the end. */
const WRITE_AT_LENGTH = 8_192
const WRITE_EVERY_MS = 250
/** On a full disk, or while nobody reads. */
const TRY_AGAIN_MS = 50
/** What comes while so much waits is dropped: better a hole in the log than a service without memory. */
const MOST_WAITING = 8 * 1024 * 1024
/** A stop may take 9.5 s, and supervisors kill after 10. */
const EXIT_LIMIT_MS = 400

let opened: StandardOutput | null = null

/** One for the whole process. An output that can't be written never blocks, ends or fails the process. */
export function standardOutput(): StandardOutput {
  opened ??= openStandardOutput()
  return opened
}

function openStandardOutput(): StandardOutput {
  const isPipe = openWithoutBlocking()
  let waiting = ''
  /** Taken from what waits, and not written yet. */
  let piece: Buffer = NOTHING
  let isWriting = false
  let isInThread = false

  const takePiece = (): boolean => {
    if (piece.length === 0 && waiting !== '') {
      piece = Buffer.from(waiting)
      waiting = ''
    }
    return piece.length > 0
  }

  const writePiece = (): number => {
    const written = writeNow(piece)
    piece = piece.subarray(written)
    return written
  }

  const writePieceInThread = async (): Promise<number> => {
    isInThread = true
    const written = await writeInThread(piece)
    isInThread = false
    piece = piece.subarray(written)
    return written
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (takePiece()) {
      // A file or a terminal may block; a pipe takes a part instead.
      const written = isPipe ? writePiece() : await writePieceInThread()
      if (written === 0) await pause(TRY_AGAIN_MS, undefined, { ref: false })
    }
    isWriting = false
  }

  setInterval(() => void writeAll(), WRITE_EVERY_MS).unref()
  process.on('exit', () => {
    const deadline = performance.now() + EXIT_LIMIT_MS
    if (isInThread) {
      // The process waits for its threads, so this one will be written; what is left should come after it.
      sleep()
      piece = NOTHING
    }
    while (takePiece() && performance.now() < deadline) if (writePiece() === 0) sleep()
  })

  return {
    write(text) {
      if (waiting.length + piece.length + text.length > MOST_WAITING) return
      waiting += text
      if (waiting.length >= WRITE_AT_LENGTH) void writeAll()
    },
  }
}

/**
 * Answers whether it is a pipe (or a socket, as systemd has it). Opened as a stream, a pipe stops blocking: a write to one that
 * nobody reads would hold its thread for ever, and the end of the process with it. A stream that fails without a listener would
 * end the process.
 */
function openWithoutBlocking(): boolean {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const kind = fstatSync(STDOUT)
  return kind.isFIFO() || kind.isSocket()
}

/** How many bytes were taken: none by a full disk, or by a pipe that is full or broken. */
function writeNow(bytes: Buffer): number {
  try {
    return writeSync(STDOUT, bytes)
  } catch {
    return 0
  }
}

const writeInThread = (bytes: Buffer): Promise<number> =>
  new Promise((resolve) => write(STDOUT, bytes, (error, written) => resolve(error ? 0 : written)))

const nobody = new Int32Array(new SharedArrayBuffer(4))
const sleep = (): void => void Atomics.wait(nobody, 0, 0, 10)
