import type { ScoredToken } from './confidence.ts'
import type { Inference, Model, Tensor } from './runtime.ts'

export interface DecoderShape {
  layers: number
  heads: number
  headSize: number
}

/** Returns the logits of the token that follows the given ones. */
export type DecodeNext = (tokens: readonly number[]) => Promise<Float32Array>

/** Token by token. The first call processes the prompt and the audio; later calls process one token and reuse all keys and values. */
export function startDecoder(ort: Inference, model: Model, shape: DecoderShape, audio: Tensor): DecodeNext {
  const names = cacheNames(shape.layers)
  const empty = () => ort.floats(new Float32Array(0), [1, shape.heads, 0, shape.headSize])
  const cache = Object.fromEntries(names.map(({ past }) => [past, empty()]))
  const outputs = ['logits', ...names.map(({ present }) => present)]
  let isFirst = true
  return async (tokens) => {
    const inputs = {
      input_ids: ort.integers(tokens, [1, tokens.length]),
      encoder_hidden_states: audio,
      use_cache_branch: ort.flag(!isFirst),
      ...cache,
    }
    const result = await model.run(inputs, outputs)
    // The branch with a cache returns empty keys for the audio.
    for (const { past, present, isOfAudio } of names)
      if (isFirst || !isOfAudio) cache[past] = result[present] as Tensor
    isFirst = false
    const logits = result['logits']?.data as Float32Array
    return logits.subarray(logits.length - logits.length / tokens.length)
  }
}

const cacheNames = (layers: number) =>
  Array.from({ length: layers }, (_, layer) =>
    ['decoder', 'encoder'].flatMap((side) =>
      ['key', 'value'].map((part) => ({
        past: `past_key_values.${layer}.${side}.${part}`,
        present: `present.${layer}.${side}.${part}`,
        isOfAudio: side === 'encoder',
      })),
    ),
  ).flat()

export function indexOfLargest(values: Float32Array): number {
  let best = 0
  for (let index = 1; index < values.length; index++)
    if ((values[index] as number) > (values[best] as number)) best = index
  return best
}

/** A phrase repeated so often in a row was not said: models of this kind get stuck. */
const REPEATS = 4
const LONGEST_PHRASE = 20

/** Removes the repetitions at the end of a stuck decoder's output, except the first. */
export function dropLoop(scored: readonly ScoredToken[]): ScoredToken[] {
  const tokens = scored.map(({ token }) => token)
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    const repeats = repeatsAtEnd(tokens, length)
    // Short phrases can be repeated naturally ("no, no, no, no") and need more repetitions.
    if (repeats >= REPEATS && repeats * length >= 12)
      return scored.slice(0, tokens.length - (repeats - 1) * length)
  }
  return [...scored]
}

function repeatsAtEnd(tokens: readonly number[], length: number): number {
  const shifted = tokens.slice(length)
  const matching = shifted.length - 1 - shifted.findLastIndex((token, index) => token !== tokens[index])
  return 1 + Math.floor(matching / length)
}
