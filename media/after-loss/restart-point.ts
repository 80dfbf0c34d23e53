import type { Container } from '../containers/container.ts'

/** Where a decoder can begin in the bytes after a loss. */
export interface RestartPoint {
  at: number
  /** The time of its audio in milliseconds from the beginning of the file; null if the bytes do not say it. */
  startMs: number | null
  /** The header, if it had to be changed to fit these bytes. */
  header?: Buffer
  /** Bytes that belong between the header and the restart point. */
  before?: Uint8Array
}

/** How a container is read on after a loss: with a header of the same kind, from the next restart point. */
export interface RestartRule {
  container: Container
  /** Where the header ends in the first bytes of a file; null if they have none, or need none. */
  headerEnd(bytes: Buffer): number | null
  /** `header` ends at `headerEnd` of `file`, the first bytes of the file; of a guessed header, `file` is the header itself. */
  find(bytes: Buffer, header: Buffer, file: Buffer): RestartPoint | null
  /** A header for these bytes if that of the file is missing; null if they are of another container. */
  guessHeader?(bytes: Buffer): Buffer | null
}
