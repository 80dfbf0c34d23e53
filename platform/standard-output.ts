import sonicBoom from 'sonic-boom'

/** Accepts text immediately; it is written as soon as possible. */
export interface StandardOutput {
  write(text: string): void
  /** Resolves when everything so far was written, or can't be for now. */
  flush(): Promise<void>
}

/** A write per line costs more than the line: lines are written together, at least every quarter of a second and at exit. */
const MIN_WRITE_BYTES = 8_192
const FLUSH_EVERY_MS = 250
/** Lines beyond it are dropped while the output is blocked: a gap in the log is better than a process without memory. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
const FLUSH_LIMIT_MS = 2_000
/** A stop takes up to 9.5 s, and supervisors kill after 10 s. */
const EXIT_LIMIT_MS = 400

let opened: StandardOutput | null = null

/** One for the whole process. An output that can't be written never blocks, ends or fails the process. */
export function standardOutput(): StandardOutput {
  opened ??= openStandardOutput()
  return opened
}

/**
 * pino's own destination without its exit hook, which retries forever on a full disk. Opened as streams, pipes stop blocking:
 * a blocked write would hold its thread, and with it the end of the process.
 */
function openStandardOutput(): StandardOutput {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  let exitBeganAt: number | null = null
  let isFailing = false
  const output = new sonicBoom.SonicBoom({
    fd: 1,
    minLength: MIN_WRITE_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    retryEAGAIN: () => exitBeganAt === null || performance.now() - exitBeganAt < EXIT_LIMIT_MS,
  })
  output.on('error', () => (isFailing = true))
  output.on('write', () => (isFailing = false))
  process.on('exit', () => {
    exitBeganAt = performance.now()
    if (isFailing) return
    try {
      output.flushSync()
    } catch {
      // The pipe stayed full until the limit.
    }
  })
  return {
    write: (text) => void output.write(text),
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, FLUSH_LIMIT_MS).unref()
        output.flush(() => resolve())
      }),
  }
}
