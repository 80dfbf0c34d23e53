import tokenizer from 'llama-tokenizer-js'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { type DecoderShape, indexOfLargest, startDecoder } from './cached-decoder.ts'
import { dropLoop } from './loops.ts'
import type { Inference, Model, Tensors } from './runtime.ts'
import { WEIGHTS } from './weights.ts'

const SHAPE: DecoderShape = { layers: 8, heads: 8, headSize: 52 }
const START = 1
const END = 2
/** The model's authors allow six tokens per second; fast speech needs a little more. */
const TOKENS_PER_SECOND = 6.5
/** Tokens from here on are not text. */
const FIRST_SPECIAL = 32_000
/** Shorter clips are padded, because the model was not trained on them. */
const MIN_SAMPLES = SAMPLE_RATE / 2

/** Transcribes about 20 s of English, without timestamps. */
export class Moonshine {
  private readonly ort: Inference
  private readonly encoder: Model
  private readonly decoder: Model

  private constructor(ort: Inference, encoder: Model, decoder: Model) {
    this.ort = ort
    this.encoder = encoder
    this.decoder = decoder
  }

  static async load(ort: Inference): Promise<Moonshine> {
    return new Moonshine(
      ort,
      await ort.load(WEIGHTS.moonshineEncoder),
      await ort.load(WEIGHTS.moonshineDecoder),
    )
  }

  async transcribe(samples: Float32Array): Promise<string> {
    const audio = new Float32Array(Math.max(samples.length, MIN_SAMPLES))
    audio.set(samples)
    const inputs = { input_values: this.ort.floats(audio, [1, audio.length]) }
    const { last_hidden_state } = await this.encoder.run(inputs, ['last_hidden_state'])
    const tokens = await this.decode(last_hidden_state as Tensors[string], audio.length / SAMPLE_RATE)
    return textOf(dropLoop(tokens))
  }

  private async decode(audio: Tensors[string], seconds: number): Promise<number[]> {
    const run = startDecoder(this.ort, this.decoder, SHAPE, audio)
    const tokens: number[] = []
    let token = START
    while (tokens.length < Math.ceil(seconds * TOKENS_PER_SECOND)) {
      token = indexOfLargest(await run.next([token]))
      if (token === END) break
      tokens.push(token)
    }
    return tokens
  }
}

function textOf(tokens: number[]): string {
  const words = tokens.filter((token) => token > END && token < FIRST_SPECIAL)
  return tokenizer.decode(words, false, false).trim()
}
