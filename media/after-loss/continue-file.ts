import { readFile } from 'node:fs/promises'
import type { Container } from '../containers/container.ts'
import { adtsRestart, mp3Restart } from './frame-restart.ts'
import { mp4Restart } from './mp4-restart.ts'
import { oggRestart } from './ogg-restart.ts'
import type { RestartRule } from './restart-point.ts'
import type { Span } from './span.ts'
import { samplesRestart, wavRestart } from './wav-restart.ts'
import { webmRestart } from './webm-restart.ts'

/** A file whose beginning is a header that was borrowed from another part. */
export interface ContinuedFile {
  container: Container
  spans: Span[]
  /** The number of the first part with audio. Parts before it are not used. */
  firstPart: number
  /** When its audio begins, in milliseconds from the beginning of the recording; null if unknown. */
  startMs: number | null
}

const RULES: readonly RestartRule[] = [
  webmRestart,
  mp4Restart,
  oggRestart,
  wavRestart,
  mp3Restart,
  adtsRestart,
]

/**
 * The audio of parts that continue a file after a loss: the header of that file, or one of the same codec, and the bytes from the
 * next point at which a decoder can begin. Null if there is none. With `sliceSeconds`, the format of raw samples without a header is
 * guessed. Reads whole parts: their size was limited when they arrived.
 */
export async function continueFile(
  parts: readonly string[],
  header: { path: string; container: Container } | null,
  sliceSeconds: number | null = null,
): Promise<ContinuedFile | null> {
  // Only if no header is left: a header of another container shows that the recorder does not send raw samples.
  const rules = header === null && sliceSeconds !== null ? [...RULES, samplesRestart(sliceSeconds)] : RULES
  const headerBytes = header && (await readFile(header.path))
  for (const [index, path] of parts.entries()) {
    const bytes = await readFile(path)
    for (const rule of rules) {
      const headerEnd =
        headerBytes && rule.container === header.container ? rule.headerEnd(headerBytes) : null
      const borrowed = headerEnd ? headerBytes?.subarray(0, headerEnd) : rule.guessHeader?.(bytes)
      const restart =
        borrowed && rule.find(bytes, borrowed, headerEnd && headerBytes ? headerBytes : borrowed)
      if (!restart) continue
      const rest = parts.slice(index + 1).map((path) => ({ path, start: 0 }))
      const beginning = Buffer.concat([restart.header ?? borrowed, restart.before ?? new Uint8Array()])
      return {
        container: rule.container,
        spans: [{ bytes: beginning }, { path, start: restart.at }, ...rest],
        firstPart: index,
        startMs: restart.startMs === null ? null : Math.round(restart.startMs),
      }
    }
  }
  return null
}
