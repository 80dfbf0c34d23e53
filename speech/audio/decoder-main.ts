import { once } from 'node:events'
import type { Container } from '../../server/processing/transcriber.ts'
import type { Planes } from './codecs.ts'
import { EXIT_UNREADABLE } from './decoder-process.ts'
import { readTrack, Unreadable } from './read-track.ts'
import { createResampler, type Resampler } from './resample.ts'

/** A process of its own: `decoder-main.ts <container> <file>` writes the file's audio to stdout, mono, 16 kHz, float. */
async function decode(container: Container, path: string): Promise<void> {
  let resampler: Resampler | null = null
  let rate = 0
  for await (const planes of readTrack(container, path)) {
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

async function write(samples: Float32Array): Promise<void> {
  if (samples.length === 0) return
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

// Whoever reads is gone, even killed: nobody needs the rest.
process.stdin.resume().on('end', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const [container, path] = process.argv.slice(2) as [Container, string]
try {
  await decode(container, path)
  process.stdout.end(() => process.exit(0))
} catch (error) {
  const reason = error instanceof Unreadable ? error.message : `its bytes are no ${container}`
  process.stderr.write(reason, () => process.exit(EXIT_UNREADABLE))
}
