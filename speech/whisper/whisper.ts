import { type DecoderShape, indexOfLargest, startDecoder } from '../models/cached-decoder.ts'
import type { Inference, Tensor } from '../models/runtime.ts'
import { WEIGHTS } from '../models/weights.ts'
import type { Segment } from '../types.ts'
import { decodeWindow } from './decode-window.ts'
import { codeOfWhisperName, whisperNameOf } from './languages.ts'
import { MEL_BANDS, MEL_FRAMES, melSpectrogram } from './mel.ts'
import { readVocabulary, TOKENS } from './vocabulary.ts'

const SHAPE: DecoderShape = { layers: 6, heads: 8, headSize: 64 }
/** Whisper's limit is 224 tokens; names need fewer. */
const MAX_PROMPT_TOKENS = 100

/** Transcribes up to 30 s in any language, with timestamps. */
export async function loadWhisper(ort: Inference) {
  // The encoder's few large steps need 650 MB, and releasing it costs no time. The decoder's small steps would take twice as long.
  const encoder = await ort.load(WEIGHTS.whisperEncoder, 'released')
  const decoder = await ort.load(WEIGHTS.whisperDecoder)
  const vocabulary = await readVocabulary()
  const decode = (audio: Tensor) => startDecoder(ort, decoder, SHAPE, audio)

  /** Whisper prefers the spelling of the text before: a list of names works as a hint. */
  const promptOf = (hotwords: readonly string[]): number[] => {
    if (hotwords.length === 0) return []
    const tokens = vocabulary.tokensOf(` ${hotwords.join(', ')}.`)
    return [TOKENS.previous, ...tokens.slice(0, MAX_PROMPT_TOKENS)]
  }

  return {
    /** Used both to detect the language and to transcribe. */
    async encode(samples: Float32Array): Promise<Tensor> {
      const inputs = { input_features: ort.floats(melSpectrogram(samples), [1, MEL_BANDS, MEL_FRAMES]) }
      return (await encoder.run(inputs, ['last_hidden_state'])).last_hidden_state
    },

    /** ISO 639 code of the most probable language among the candidates, or among all if it supports no candidate. */
    async languageOf(audio: Tensor, candidates: readonly string[]): Promise<string> {
      const logits = await decode(audio)([TOKENS.start])
      const all = [...vocabulary.languages]
      const names = new Set(candidates.map(whisperNameOf))
      const offered = all.filter(([name]) => names.has(name))
      const languages = offered.length > 0 ? offered : all
      const scores = Float32Array.from(languages, ([, token]) => logits[token] ?? Number.NEGATIVE_INFINITY)
      return codeOfWhisperName(languages[indexOfLargest(scores)]?.[0] ?? 'en')
    },

    transcribe(
      audio: Tensor,
      seconds: number,
      language: string,
      hotwords: readonly string[],
    ): Promise<Segment[]> {
      const languageToken = vocabulary.languages.get(whisperNameOf(language)) ?? TOKENS.start
      const prompt = [...promptOf(hotwords), TOKENS.start, languageToken, TOKENS.transcribe]
      return decodeWindow(() => decode(audio), prompt, seconds, vocabulary)
    },
  }
}
