import { type DecoderShape, indexOfLargest, startDecoder } from '../models/cached-decoder.ts'
import type { Inference, Model, Tensors } from '../models/runtime.ts'
import { WEIGHTS } from '../models/weights.ts'
import { decodeWindow, type SpokenPhrase } from './decode-window.ts'
import { codeOfWhisperName, whisperNameOf } from './languages.ts'
import { MEL_BANDS, MEL_FRAMES, melSpectrogram } from './mel.ts'
import { readVocabulary, TOKENS, type Vocabulary } from './vocabulary.ts'

const SHAPE: DecoderShape = { layers: 6, heads: 8, headSize: 64 }
/** Half of what whisper can look back to would be 224; names need less. */
const MAX_PROMPT_TOKENS = 100

/** What whisper heard in up to 30 s; made once for both questions, which language and which words. */
export type Heard = Tensors[string]

/** Any language, up to 30 s at once, with times. */
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
    // Its few large steps need 650 MB between them and lose no time by giving it back; small steps, as of decoders, lose half.
    const encoder = await ort.load(WEIGHTS.whisperEncoder, 'given back')
    const decoder = await ort.load(WEIGHTS.whisperDecoder)
    return new Whisper(ort, encoder, decoder, await readVocabulary())
  }

  async hear(samples: Float32Array): Promise<Heard> {
    const inputs = { input_features: this.ort.floats(melSpectrogram(samples), [1, MEL_BANDS, MEL_FRAMES]) }
    return (await this.encoder.run(inputs, ['last_hidden_state']))['last_hidden_state'] as Heard
  }

  /** ISO 639 code of the likeliest language among the candidates; none of them, or none that it knows: among all. */
  async languageOf(heard: Heard, candidates: readonly string[] = []): Promise<string> {
    const logits = await startDecoder(this.ort, this.decoder, SHAPE, heard).next([TOKENS.start])
    const all = [...this.vocabulary.languages]
    const names = new Set(candidates.map(whisperNameOf))
    const offered = all.filter(([name]) => names.has(name))
    const languages = offered.length > 0 ? offered : all
    const chances = Float32Array.from(languages, ([, token]) => logits[token] ?? Number.NEGATIVE_INFINITY)
    return codeOfWhisperName(languages[indexOfLargest(chances)]?.[0] ?? 'en')
  }

  async transcribe(
    heard: Heard,
    seconds: number,
    language: string,
    hotwords: readonly string[],
  ): Promise<SpokenPhrase[]> {
    const languageToken = this.vocabulary.languages.get(whisperNameOf(language)) ?? TOKENS.start
    const prompt = [...this.promptOf(hotwords), TOKENS.start, languageToken, TOKENS.transcribe]
    const open = () => startDecoder(this.ort, this.decoder, SHAPE, heard)
    return decodeWindow(open, prompt, seconds, this.vocabulary)
  }

  /** Whisper spells as in the text before: a list of names makes it prefer them. */
  private promptOf(hotwords: readonly string[]): number[] {
    if (hotwords.length === 0) return []
    const tokens = this.vocabulary.tokensOf(` ${hotwords.join(', ')}.`)
    return [TOKENS.previous, ...tokens.slice(0, MAX_PROMPT_TOKENS)]
  }
}
