import type { Container } from '../containers/container.ts'
import { SAMPLE_RATE } from './limits.ts'
import type { DecodedAudio } from './packet-decoder.ts'
import { readTrack } from './read-track.ts'
import { createResampler, type Resampler } from './resample.ts'

/** Decoded before the requested samples and then dropped: Opus needs 80 ms until its output is right again. */
const PREROLL_SECONDS = 1

type Write = (samples: Float32Array) => Promise<void>

/** Decodes a file to mono at 16 kHz, without its first `skip` samples. */
export async function decodeFile(
  container: Container,
  path: string,
  skip: number,
  write: Write,
): Promise<void> {
  let resampler: Resampler | null = null
  let rate = 0
  const range = { until: skip / SAMPLE_RATE - PREROLL_SECONDS, skipped: 0 }
  const writeRequested = withoutFirst(() => skip - Math.round(range.skipped * SAMPLE_RATE), write)
  for await (const audio of readTrack(container, path, range)) {
    // A file that was joined from several streams can change its rate.
    if (audio.sampleRate !== rate) {
      if (resampler) await writeRequested(resampler.end())
      rate = audio.sampleRate
      resampler = createResampler(rate)
    }
    if (resampler) await writeRequested(resampler.push(monoOf(audio)))
  }
  if (resampler) await writeRequested(resampler.end())
}

function monoOf({ channelData, samplesDecoded }: DecodedAudio): Float32Array {
  const mono = new Float32Array(samplesDecoded)
  for (const plane of channelData)
    for (let index = 0; index < samplesDecoded; index++)
      mono[index] = (mono[index] as number) + (plane[index] as number) / channelData.length
  return mono
}

/** Drops the first samples. How many is only known when the first ones arrive. */
function withoutFirst(count: () => number, write: Write): Write {
  let left: number | null = null
  return async (samples) => {
    left ??= Math.max(0, count())
    const requested = samples.subarray(Math.min(left, samples.length))
    left -= samples.length - requested.length
    if (requested.length > 0) await write(requested)
  }
}
