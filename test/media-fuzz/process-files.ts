import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container } from '../../media/containers/container.ts'
import { decodeFile } from '../../media/decode/decode-file.ts'
import { DECODE_LIMITS, maxSecondsFor, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { copyCompatible } from '../../media/join/copy-packets.ts'
import { mutatedFile, sourceBytes } from './mutate.ts'

/**
 * A separate process: decodes and joins the mutated files `from` to `until`, and reports after each. It runs the code of the
 * decoder process and of the demuxer thread, but all files in one process: starting one for each would take most of the time.
 */
export interface FileResult {
  n: number
  /** Seconds of audio, or null if the decoder rejected the file. */
  decodedSeconds: number | null
  joined: string
}

const [folder, seed, from, until] = process.argv.slice(2) as [string, string, string, string]
const send = (result: FileResult) => void process.send?.(result)

for (let n = Number(from); n < Number(until); n++) {
  const { container, source, bytes } = mutatedFile(seed, n)
  const [damaged, intact, target] = ['damaged', 'intact', 'target'].map((name) =>
    join(folder, `${from}-${name}`),
  ) as [string, string, string]
  await writeFile(damaged, bytes)
  await writeFile(intact, sourceBytes(source))
  const sourceFile = (path: string, part: number) => ({
    container,
    spans: [{ path, start: 0 }],
    parts: [part],
  })
  const decodedSeconds = await decode(container, damaged, bytes.length)
  // `runDemuxWorker` skips a file that throws, so an error here is not a crash.
  const joined = await copyCompatible([sourceFile(damaged, 0), sourceFile(intact, 1)], target, {
    onRead: () => undefined,
    onUnreadable: () => undefined,
  }).then(
    ({ kind }) => kind,
    (error: unknown) => `threw ${error instanceof Error ? error.name : typeof error}`,
  )
  send({ n, decodedSeconds, joined })
}
process.disconnect()

/** Stops at the length at which the parent of a real decoder stops it. */
async function decode(container: Container, path: string, size: number): Promise<number | null> {
  const maxSamples = maxSecondsFor(size, DECODE_LIMITS) * SAMPLE_RATE
  let samples = 0
  try {
    for await (const block of decodeFile(container, path, 0)) {
      samples += block.length
      if (samples > maxSamples) break
    }
  } catch {
    if (samples === 0) return null
  }
  return samples / SAMPLE_RATE
}
