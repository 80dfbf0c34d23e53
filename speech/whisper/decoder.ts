import type { DecodeNext } from '../models/cached-decoder.ts'
import type { Inference, Tensor } from '../models/runtime.ts'
import { readWeights, type WhisperFiles } from '../models/weights.ts'
import { keysOfAudio, keysOfText, MASK, splitDecoder } from './graphs.ts'

/** Subtracted from the attention to a hidden token. */
const HIDDEN = -1e9

/** Returns a function that starts a text for the given audio. */
export async function loadDecoder(
  ort: Inference,
  files: WhisperFiles,
): Promise<(audio: Tensor) => DecodeNext> {
  const { layers, heads, headSize } = files.shape
  const graphs = splitDecoder(await readWeights(files.decoder), files.shape)
  const audioKeys = await ort.loadGraph(graphs.audio, 'released')
  const decoder = await ort.loadGraph(graphs.text, 'kept')
  const [ofAudio, ofText] = [keysOfAudio(layers), keysOfText(layers)]
  /** Shared by detecting the language of a window and transcribing it. */
  const computed = new WeakMap<Tensor, Promise<Record<string, Tensor>>>()

  const keysFor = (audio: Tensor): Promise<Record<string, Tensor>> => {
    const keys = computed.get(audio) ?? audioKeys.run({ encoder_hidden_states: audio }, ofAudio).then(asPast)
    computed.set(audio, keys)
    return keys
  }

  return (audio) => {
    const empty = ofText.map((name) => [name, ort.floats(new Float32Array(0), [1, heads, 0, headSize])])
    let past = asPast(Object.fromEntries(empty) as Record<string, Tensor>)
    let length = 0
    return async (tokens) => {
      const inputs = {
        input_ids: ort.integers(tokens, [1, tokens.length]),
        [MASK]: ort.floats(maskOf(length, tokens.length), [tokens.length, length + tokens.length]),
        ...(await keysFor(audio)),
        ...past,
      }
      const { logits, ...present } = await decoder.run(inputs, ['logits', ...ofText])
      past = asPast(present)
      length += tokens.length
      const data = logits?.data as Float32Array
      return data.subarray(data.length - data.length / tokens.length)
    }
  }
}

/** Renames the output of one step to the input of the next. */
const asPast = (present: Record<string, Tensor>): Record<string, Tensor> =>
  Object.fromEntries(
    Object.entries(present).map(([name, keys]) => [name.replace('present', 'past_key_values'), keys]),
  )

/** A token sees itself and all before it. */
function maskOf(before: number, count: number): Float32Array {
  const mask = new Float32Array(count * (before + count))
  for (let token = 0; token < count; token++)
    mask.fill(HIDDEN, token * (before + count) + before + token + 1, (token + 1) * (before + count))
  return mask
}
