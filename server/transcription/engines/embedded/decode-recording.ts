import type { DecodePcm } from '../../../../media/split/split.ts'
import { failAsEngine, loadSpeech, PACKAGE } from './embedded-transcriber.ts'

/** The embedded engine's decoder, for recordings that are too large to go up whole. Where it is not installed, they can't be cut. */
export const decodeRecording: DecodePcm = async (path, container, signal, from) => {
  const speech = await loadSpeech(PACKAGE)
  const { rate, samples } = speech.decodeRecording(path, container, signal, from)
  return { rate, samples: failingAsEngine(samples) }
}

async function* failingAsEngine(samples: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  try {
    yield* samples
  } catch (error) {
    failAsEngine(error as Error)
  }
}
