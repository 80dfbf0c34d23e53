import { concatSamples } from '../../media/decode/resample.ts'
import type { Inference, Model, Tensors } from '../models/runtime.ts'
import { WEIGHTS } from '../models/weights.ts'

/** Samples per prediction: 32 ms. */
export const FRAME = 512
/** Samples of the previous frame that the model needs again. */
const CONTEXT = 64

/** Detects speech. Without it whisper transcribes noise as "Thank you." and silence as "you". */
export class Silero {
  private readonly ort: Inference
  private readonly model: Model

  private constructor(ort: Inference, model: Model) {
    this.ort = ort
    this.model = model
  }

  static async load(ort: Inference): Promise<Silero> {
    return new Silero(ort, await ort.load(WEIGHTS.silero))
  }

  /** One detector per recording, because it keeps state. Returns the probability of speech in a frame. */
  createDetector(): (frame: Float32Array) => Promise<number> {
    const rate = this.ort.integers([16_000], [])
    let state: Tensors[string] = this.ort.floats(new Float32Array(2 * 128), [2, 1, 128])
    let context = new Float32Array(CONTEXT)
    return async (frame) => {
      const input = this.ort.floats(concatSamples(context, frame), [1, CONTEXT + FRAME])
      const result = await this.model.run({ input, state, sr: rate }, ['output', 'stateN'])
      state = result['stateN'] as Tensors[string]
      context = frame.slice(FRAME - CONTEXT)
      return ((result['output'] as Tensors[string]).data as Float32Array)[0] ?? 0
    }
  }
}
