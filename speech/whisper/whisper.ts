import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { LanguageScores } from '../language/language-belief.ts'
import type { CutOff } from '../models/cut-off.ts'
import type { Inference, Tensor } from '../models/runtime.ts'
import { readWeights, type WhisperFiles } from '../models/weights.ts'
import { decodeWindow, type RecognisedPhrase } from './decode-window.ts'
import { loadDecoder } from './decoder.ts'
import { rewriteEncoder } from './graphs.ts'
import { codeOfWhisperName, whisperNameOf } from './languages.ts'
import { MEL_BANDS, MEL_FRAMES, melSpectrogram } from './mel.ts'
import { readVocabulary, TOKENS } from './vocabulary.ts'

/** Whisper's limit is 224 tokens; names need fewer. */
const MAX_PROMPT_TOKENS = 100
/** States that the encoder returns for each second of audio. */
const STATES_PER_SECOND = 50

/** Transcribes up to 30 s in any language, with timestamps. */
export async function loadWhisper(ort: Inference, files: WhisperFiles) {
  // The encoder's few large steps release their memory at no cost. The decoder's small steps would take twice as long.
  const encoder = await ort.loadGraph(
    rewriteEncoder(await readWeights(files.encoder), files.shape),
    'released',
  )
  const decoder = await loadDecoder(ort, files)
  const vocabulary = await readVocabulary(files)

  const sliceOf = (audio: Tensor, { from, to }: { from: number; to: number }): Tensor => {
    const size = audio.dims[2] as number
    const data = (audio.data as Float32Array).slice(
      Math.floor(from * STATES_PER_SECOND) * size,
      Math.ceil(to * STATES_PER_SECOND) * size,
    )
    return ort.floats(data, [1, data.length / size, size])
  }

  /** Whisper prefers the spelling of the text before: a list of names works as a hint. */
  const promptOf = (hotwords: readonly string[]): number[] => {
    if (hotwords.length === 0) return []
    const tokens = vocabulary.tokensOf(` ${hotwords.join(', ')}.`)
    return [TOKENS.previous, ...tokens.slice(0, MAX_PROMPT_TOKENS)]
  }

  return {
    /** Used both to detect the language and to transcribe. */
    async encode(samples: Float32Array): Promise<Tensor> {
      const length = framesFor(samples)
      const inputs = { input_features: ort.floats(melSpectrogram(samples, length), [1, MEL_BANDS, length]) }
      return (await encoder.run(inputs, ['last_hidden_state'])).last_hidden_state
    },

    /** The probability of each language, by ISO 639 code. Of a part of the window it is a rough estimate, which takes little time. */
    async languageScores(audio: Tensor, part?: { from: number; to: number }): Promise<LanguageScores> {
      const logits = await decoder(part ? sliceOf(audio, part) : audio)([TOKENS.start])
      const largest = Math.max(...vocabulary.languages.values().map((token) => logits[token] ?? 0))
      const scores = [...vocabulary.languages].map(([name, token]): [string, number] => [
        codeOfWhisperName(name),
        Math.exp((logits[token] ?? 0) - largest),
      ])
      const sum = scores.reduce((total, [, score]) => total + score, 0)
      return scores.map(([code, score]) => [code, score / sum])
    },

    transcribe(
      audio: Tensor,
      seconds: number,
      language: string,
      hotwords: readonly string[],
      cutOff: CutOff = {},
    ): Promise<RecognisedPhrase[]> {
      const languageToken = vocabulary.languages.get(whisperNameOf(language)) ?? TOKENS.start
      const prompt = [...promptOf(hotwords), TOKENS.start, languageToken, TOKENS.transcribe]
      return decodeWindow(() => decoder(audio), prompt, seconds, vocabulary, cutOff)
    },
  }
}

/** Whisper expects 30 s. With less silence than this after the speech it repeats itself; with this much, its text is the same. */
const SILENCE_AFTER = 3
const FRAMES_PER_SECOND = 100

/** The encoder's cost grows with the length: 10 s take a third of 30 s. An even number, because the encoder halves it. */
const framesFor = (samples: Float32Array): number =>
  Math.min(
    MEL_FRAMES,
    2 * Math.ceil(((samples.length / SAMPLE_RATE + SILENCE_AFTER) * FRAMES_PER_SECOND) / 2),
  )
