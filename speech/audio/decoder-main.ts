import { once } from 'node:events'
import type { Container } from '../../server/processing/transcriber.ts'
import type { Planes } from './codecs.ts'
import { EXIT_NEEDS_FFMPEG, EXIT_UNAVAILABLE, EXIT_UNREADABLE } from './decoder-process.ts'
import { SAMPLE_RATE } from './limits.ts'
import { NeedsFfmpeg, readTrack, Unreadable } from './read-track.ts'
import { createResampler, type Resampler } from './resample.ts'

/** Of what is not asked for, decoded all the same: Opus needs 80 ms until it is right again. */
const PREROLL_SECONDS = 1

/**
 * A process of its own: `decoder-main.ts <container> <file> <samples>` writes the file's audio to stdout, mono, 16 kHz,
 * float, without the first so many samples.
 */
async function decode(container: Container, path: string, skip: number): Promise<void> {
  let resampler: Resampler | null = null
  let rate = 0
  const step = { until: skip / SAMPLE_RATE - PREROLL_SECONDS, done: 0 }
  const write = writerWithout(() => skip - Math.round(step.done * SAMPLE_RATE))
  for await (const planes of readTrack(container, path, step)) {
    // Streams that were joined may change their rate in the middle.
    if (planes.sampleRate !== rate) {
      if (resampler) await write(resampler.end())
      rate = planes.sampleRate
      resampler = createResampler(rate)
    }
    if (resampler) await write(resampler.push(monoOf(planes)))
  }
  if (resampler) await write(resampler.end())
}

function monoOf({ channelData, samplesDecoded }: Planes): Float32Array {
  const mono = new Float32Array(samplesDecoded)
  for (const plane of channelData)
    for (let index = 0; index < samplesDecoded; index++)
      mono[index] = (mono[index] as number) + (plane[index] as number) / channelData.length
  return mono
}

/** Leaves out the first samples; how many, is known when the first ones come. */
function writerWithout(count: () => number): (samples: Float32Array) => Promise<void> {
  let left: number | null = null
  return async (samples) => {
    left ??= Math.max(0, count())
    const asked = samples.subarray(Math.min(left, samples.length))
    left -= samples.length - asked.length
    if (asked.length === 0) return
    const bytes = new Uint8Array(asked.buffer, asked.byteOffset, asked.byteLength)
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
  }
}

// Whoever reads is gone, even killed: nobody needs the rest.
process.stdin.resume().on('end', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const [container, path, skip] = process.argv.slice(2) as [Container, string, string]
try {
  await decode(container, path, Number(skip))
  process.stdout.end(() => process.exit(0))
} catch (error) {
  const reason = error instanceof Unreadable ? error.message : `its bytes are no ${container}`
  process.stderr.write(reason, () => process.exit(exitCodeOf(error)))
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NeedsFfmpeg) return EXIT_NEEDS_FFMPEG
  return error instanceof Error && 'errno' in error ? EXIT_UNAVAILABLE : EXIT_UNREADABLE
}
