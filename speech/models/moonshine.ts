import tokenizer from 'llama-tokenizer-js'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { type DecoderShape, dropLoop, indexOfLargest, startDecoder } from './cached-decoder.ts'
import { probabilityOf, type Recognition, type ScoredToken } from './confidence.ts'
import { type CutOff, recogniseCutOff } from './cut-off.ts'
import { withoutRushedRepetition } from './repeated-ending.ts'
import type { Inference } from './runtime.ts'
import { WEIGHTS } from './weights.ts'

const SHAPE: DecoderShape = { layers: 8, heads: 8, headSize: 52 }
const START = 1
const END = 2
/** The model's authors allow six tokens per second; fast speech needs a little more. */
const TOKENS_PER_SECOND = 6.5
/** Tokens from here on are not text. */
const FIRST_SPECIAL = 32_000
/** Of 65 words that were invented for truncated audio, 58 had a lower confidence or followed one that had. */
const DOUBTFUL = 0.65
/** Shorter clips are padded, because the model was not trained on them. */
const MIN_SAMPLES = SAMPLE_RATE / 2

export interface EnglishRecognition extends Recognition {
  /** The text without its ending, if that repeats what is before it and was probably not said. */
  withoutEnding?: Recognition
}

/** Transcribes about 20 s of English, without timestamps. */
export async function loadMoonshine(
  ort: Inference,
): Promise<(samples: Float32Array, cutOff?: CutOff) => Promise<EnglishRecognition>> {
  const encoder = await ort.load(WEIGHTS.moonshineEncoder)
  const decoder = await ort.load(WEIGHTS.moonshineDecoder)
  return async (samples, cutOff = {}) => {
    const audio = new Float32Array(Math.max(samples.length, MIN_SAMPLES))
    audio.set(samples)
    const inputs = { input_values: ort.floats(audio, [1, audio.length]) }
    const { last_hidden_state } = await encoder.run(inputs, ['last_hidden_state'])
    const next = startDecoder(ort, decoder, SHAPE, last_hidden_state)
    const seconds = audio.length / SAMPLE_RATE
    const maxTokens = Math.ceil(seconds * TOKENS_PER_SECOND)
    const tokens: ScoredToken[] = []
    let token = START
    while (tokens.length < maxTokens) {
      const logits = await next([token])
      token = indexOfLargest(logits)
      if (token === END) break
      tokens.push({ token, probability: probabilityOf(logits, token) })
    }
    return recogniseTokens(tokens, seconds, cutOff)
  }
}

function recogniseTokens(
  tokens: readonly ScoredToken[],
  seconds: number,
  cutOff: CutOff,
): EnglishRecognition {
  const all = dropLoop(tokens).filter(isText)
  const kept = withoutRushedRepetition(all, seconds, textOf)
  const recognise = (part: readonly ScoredToken[]): Recognition =>
    recogniseCutOff(part, textOf, DOUBTFUL, cutOff)
  return kept.length === all.length ? recognise(all) : { ...recognise(all), withoutEnding: recognise(kept) }
}

const isText = ({ token }: ScoredToken): boolean => token > END && token < FIRST_SPECIAL

const textOf = (tokens: number[]): string => tokenizer.decode(tokens, false, false)
