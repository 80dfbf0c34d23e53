import { concatSamples } from '../../media/decode/resample.ts'
import type { Inference, Tensor } from '../models/runtime.ts'
import { WEIGHTS } from '../models/weights.ts'

/** Samples per prediction: 32 ms. */
export const FRAME = 512
/** Samples of the previous frame that the model needs again. */
const CONTEXT = 64

/** Without it whisper transcribes noise as "Thank you.". The result creates a detector for one recording, which keeps state. */
export async function loadSilero(ort: Inference) {
  const model = await ort.load(WEIGHTS.silero)
  return (): ((frame: Float32Array) => Promise<number>) => {
    const sr = ort.integers([16_000], [])
    let state: Tensor = ort.floats(new Float32Array(2 * 128), [2, 1, 128])
    let context = new Float32Array(CONTEXT)
    return async (frame) => {
      const input = ort.floats(concatSamples(context, frame), [1, CONTEXT + FRAME])
      const { output, stateN } = await model.run({ input, state, sr }, ['output', 'stateN'])
      state = stateN
      context = frame.slice(FRAME - CONTEXT)
      return (output.data as Float32Array)[0] ?? 0
    }
  }
}
