import { type DecoderShape, indexOfLargest, startDecoder } from '../models/cached-decoder.ts'
import type { Inference, Model, Tensors } from '../models/runtime.ts'
import { WEIGHTS } from '../models/weights.ts'
import type { Segment } from '../types.ts'
import { decodeWindow } from './decode-window.ts'
import { codeOfWhisperName, whisperNameOf } from './languages.ts'
import { MEL_BANDS, MEL_FRAMES, melSpectrogram } from './mel.ts'
import { readVocabulary, TOKENS, type Vocabulary } from './vocabulary.ts'

const SHAPE: DecoderShape = { layers: 6, heads: 8, headSize: 64 }
/** Whisper's limit is 224 tokens; names need fewer. */
const MAX_PROMPT_TOKENS = 100

/** Encoded audio of up to 30 s, used both to detect the language and to transcribe. */
export type EncodedAudio = Tensors[string]

/** Transcribes up to 30 s in any language, with timestamps. */
export class Whisper {
  private readonly ort: Inference
  private readonly encoder: Model
  private readonly decoder: Model
  private readonly vocabulary: Vocabulary

  private constructor(ort: Inference, encoder: Model, decoder: Model, vocabulary: Vocabulary) {
    this.ort = ort
    this.encoder = encoder
    this.decoder = decoder
    this.vocabulary = vocabulary
  }

  static async load(ort: Inference): Promise<Whisper> {
    // The encoder's few large steps need 650 MB, and releasing it costs no time. The decoder's small steps would take twice as long.
    const encoder = await ort.load(WEIGHTS.whisperEncoder, 'released')
    const decoder = await ort.load(WEIGHTS.whisperDecoder)
    return new Whisper(ort, encoder, decoder, await readVocabulary())
  }

  async encode(samples: Float32Array): Promise<EncodedAudio> {
    const inputs = { input_features: this.ort.floats(melSpectrogram(samples), [1, MEL_BANDS, MEL_FRAMES]) }
    return (await this.encoder.run(inputs, ['last_hidden_state']))['last_hidden_state'] as EncodedAudio
  }

  /** ISO 639 code of the most probable language among the candidates, or among all if it supports no candidate. */
  async languageOf(audio: EncodedAudio, candidates: readonly string[] = []): Promise<string> {
    const logits = await startDecoder(this.ort, this.decoder, SHAPE, audio).next([TOKENS.start])
    const all = [...this.vocabulary.languages]
    const names = new Set(candidates.map(whisperNameOf))
    const offered = all.filter(([name]) => names.has(name))
    const languages = offered.length > 0 ? offered : all
    const probabilities = Float32Array.from(
      languages,
      ([, token]) => logits[token] ?? Number.NEGATIVE_INFINITY,
    )
    return codeOfWhisperName(languages[indexOfLargest(probabilities)]?.[0] ?? 'en')
  }

  async transcribe(
    audio: EncodedAudio,
    seconds: number,
    language: string,
    hotwords: readonly string[],
  ): Promise<Segment[]> {
    const languageToken = this.vocabulary.languages.get(whisperNameOf(language)) ?? TOKENS.start
    const prompt = [...this.promptOf(hotwords), TOKENS.start, languageToken, TOKENS.transcribe]
    const open = () => startDecoder(this.ort, this.decoder, SHAPE, audio)
    return decodeWindow(open, prompt, seconds, this.vocabulary)
  }

  /** Whisper prefers the spelling of the text before: a list of names works as a hint. */
  private promptOf(hotwords: readonly string[]): number[] {
    if (hotwords.length === 0) return []
    const tokens = this.vocabulary.tokensOf(` ${hotwords.join(', ')}.`)
    return [TOKENS.previous, ...tokens.slice(0, MAX_PROMPT_TOKENS)]
  }
}
