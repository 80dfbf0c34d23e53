import type { Container } from '../containers/container.ts'
import type { AudioBytes } from './audio-bytes.ts'
import { withoutFirst } from './frames.ts'
import { SAMPLE_RATE } from './limits.ts'
import type { DecodedAudio } from './packets/packet-decoder.ts'
import { readTrack } from './read-track.ts'
import { createResampler, type Resampler } from './resample.ts'

/** Decoded before the requested samples and then dropped: Opus needs 80 ms until its output is right again. */
const PREROLL_SECONDS = 1

/** Decodes a file to mono at 16 kHz, without its first `skip` samples. */
export function decodeFile(
  container: Container,
  audio: AudioBytes,
  skip: number,
): AsyncGenerator<Float32Array> {
  const range = { until: skip / SAMPLE_RATE - PREROLL_SECONDS, skipped: 0 }
  const decoded = resample(readTrack(container, audio, range))
  return withoutFirst(decoded, () => skip - Math.round(range.skipped * SAMPLE_RATE))
}

/** A file that was joined from several streams can change its rate. */
async function* resample(decoded: AsyncIterable<DecodedAudio>): AsyncGenerator<Float32Array> {
  let resampler: Resampler | null = null
  let rate = 0
  for await (const audio of decoded) {
    if (audio.sampleRate !== rate) {
      if (resampler) yield resampler.end()
      rate = audio.sampleRate
      resampler = createResampler(rate)
    }
    if (resampler) yield resampler.push(monoOf(audio))
  }
  if (resampler) yield resampler.end()
}

function monoOf({ channelData, samplesDecoded }: DecodedAudio): Float32Array {
  const mono = new Float32Array(samplesDecoded)
  for (const plane of channelData)
    for (let index = 0; index < samplesDecoded; index++)
      mono[index] = (mono[index] as number) + (plane[index] as number) / channelData.length
  return mono
}
