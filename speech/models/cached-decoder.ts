import type { Inference, Model, Tensors } from './runtime.ts'

export interface DecoderShape {
  layers: number
  heads: number
  headSize: number
}

/** Decodes token by token, with cached keys and values of the tokens and the audio. */
export interface DecoderRun {
  /** Logits of the token that follows the given ones. */
  next(tokens: readonly number[]): Promise<Float32Array>
}

/**
 * The decoders of both models have one graph with two branches. The first run processes the prompt and computes the keys and values
 * of the audio; later runs process one token, reuse all keys and values, and add their own.
 */
export function startDecoder(
  ort: Inference,
  model: Model,
  shape: DecoderShape,
  audio: Tensors[string],
): DecoderRun {
  const names = cacheNames(shape.layers)
  const cache: Tensors = Object.fromEntries(
    names.map(({ past }) => [past, ort.floats(new Float32Array(0), [1, shape.heads, 0, shape.headSize])]),
  )
  const outputs = ['logits', ...names.map(({ present }) => present)]
  let isFirst = true

  const next = async (tokens: readonly number[]): Promise<Float32Array> => {
    const inputs = {
      input_ids: ort.integers(tokens, [1, tokens.length]),
      encoder_hidden_states: audio,
      use_cache_branch: ort.flag(!isFirst),
      ...cache,
    }
    const result = await model.run(inputs, outputs)
    // The branch with a cache returns empty keys for the audio.
    for (const { past, present, isOfAudio } of names)
      if (isFirst || !isOfAudio) cache[past] = result[present] as Tensors[string]
    isFirst = false
    const logits = (result['logits'] as Tensors[string]).data as Float32Array
    return logits.subarray(logits.length - logits.length / tokens.length)
  }
  return { next }
}

interface CacheName {
  past: string
  present: string
  isOfAudio: boolean
}

const cacheNames = (layers: number): CacheName[] =>
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
