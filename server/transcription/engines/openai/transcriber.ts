import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import { createSplit, type Piece, type Split } from '../../../../media/split/split.ts'
import { EngineFailure, RETRYABLE } from '../../../engines/engine-failure.ts'
import { describe, type Refused } from '../../../engines/openai/classify-response.ts'
import type { ModelServer } from '../../../engines/openai/client.ts'
import type { Segment, TranscribeRequest, Transcriber, Transcription } from '../../transcriber.ts'
import { type SpeechFormat, speechForm } from './speech-form.ts'
import { readSpeechAnswer, type SpeechAnswer } from './speech-response.ts'

export interface OpenAiTranscriberOptions {
  server: ModelServer
  model: string
  /** By default only WAV is cut: others go up whole, or are refused where they are too large. */
  split?: Split
  /** What the server takes in one upload. */
  maxBytes?: number
  maxSeconds?: number
  /** How long a piece is where the server tells no times: its text gets the piece's. */
  untimedSeconds?: number
  concurrency?: number
}

const DEFAULTS = {
  split: createSplit(),
  maxBytes: 25_000_000,
  // The newer models refuse more than 1400 s, whatever the size.
  maxSeconds: 1_390,
  untimedSeconds: 60,
  concurrency: 4,
}
/** Shorter ones are refused. */
const MIN_SECONDS = 0.1
const PATH = '/audio/transcriptions'

/** What the server was found to be able to, for as long as the process lives. */
interface Abilities {
  format: SpeechFormat
  tellsTimes: boolean
}

export function createOpenAiTranscriber(options: OpenAiTranscriberOptions): Transcriber {
  const { server, model, split, maxBytes, maxSeconds, untimedSeconds, concurrency } = {
    ...DEFAULTS,
    ...options,
  }
  const abilities: Abilities = {
    format: model.includes('diarize') ? 'diarized_json' : 'verbose_json',
    tellsTimes: true,
  }

  async function transcribe(request: TranscribeRequest): Promise<Transcription> {
    const { path, container, lead = [], signal } = request
    // What leads to it is before its beginning.
    const from = lead.length > 0 ? Number.NEGATIVE_INFINITY : request.from
    const seconds = abilities.tellsTimes ? maxSeconds : Math.min(maxSeconds, untimedSeconds)
    const limits = { maxBytes, maxSeconds: seconds, from: request.from, lead, signal }
    const heard: { piece: Piece; answer: SpeechAnswer }[] = []
    let duration = 0
    for await (const piece of split(path, container, limits)) {
      duration = piece.end
      if (piece.end <= from || piece.end - piece.start < MIN_SECONDS) continue
      const answer = await hear(piece, request)
      // Found out just now: once more, in shorter pieces.
      if (answer === null) return transcribe(request)
      heard.push({ piece, answer })
    }
    const segments = heard.flatMap(({ piece, answer }) => segmentsOf(piece, answer)).flatMap(after(from))
    const answers = heard.map(({ answer }) => answer)
    return { language: languageOf(request, answers, segments), duration, isWhole: true, segments }
  }

  /** Null where the server turned out to tell no times, and the piece is too long to do without. */
  async function hear(piece: Piece, request: TranscribeRequest): Promise<SpeechAnswer | null> {
    const { language, hotwords, signal } = request
    const { format } = abilities
    const form = await speechForm(piece, { model, format, language, hotwords })
    const reply = await server.post(PATH, form, signal)
    if (reply.ok) {
      const answer = readSpeechAnswer(reply, piece.end - piece.start)
      if (!answer.tellsTimes && answer.text !== '') abilities.tellsTimes = false
      return answer
    }
    if (format === 'json' || !isAboutFormat(reply)) throw refusal(reply)
    abilities.format = 'json'
    abilities.tellsTimes = false
    return piece.end - piece.start > untimedSeconds ? null : hear(piece, request)
  }

  return {
    capabilities: {
      name: 'openai',
      languages: 'any',
      detectsLanguage: true,
      get timestamps() {
        return abilities.tellsTimes
      },
      // Each request costs, and the server keeps others waiting by itself: a recording goes up as a whole.
      parts: false,
      get leads() {
        return abilities.tellsTimes
      },
      hotwords: true,
      retryable: RETRYABLE,
      concurrency,
    },
    transcribe,
    close: () => server.close(),
  }
}

/** A piece is refused for its size or its sound too; then less detail would not help. */
const isAboutFormat = ({ status, mentions }: Refused): boolean =>
  (status === 400 || status === 422) &&
  mentions(/response_format|timestamp_granularities|verbose_json|diarized_json/)

const UNSPOKEN = /unsupported.language|language.{0,40}not supported/i

const refusal = ({ status, words, mentions }: Refused): EngineFailure =>
  new EngineFailure(mentions(UNSPOKEN) ? 'unsupported_language' : 'unreadable', describe(status, words))

/** In the recording's time; a text without times has those of its piece. */
function segmentsOf({ start, end }: Piece, { text, segments }: SpeechAnswer): Segment[] {
  if (segments) return segments.map((one) => ({ ...one, start: start + one.start, end: start + one.end }))
  return text === '' ? [] : [{ start, end, text }]
}

const after =
  (from: number) =>
  ({ start, end, text }: Segment): Segment[] =>
    end <= from ? [] : [{ start: Math.max(start, from), end, text }]

/** What the server heard; where it does not tell, what it was told, or what the words look like. */
function languageOf(
  { language }: TranscribeRequest,
  answers: readonly SpeechAnswer[],
  segments: readonly Segment[],
): string | null {
  if (segments.length === 0) return null
  return mostSpoken(answers) ?? language ?? guessLanguage(segments.map(({ text }) => text))
}

function mostSpoken(answers: readonly SpeechAnswer[]): string | null {
  const said = new Map<string, number>()
  for (const { language, text } of answers)
    if (language !== null) said.set(language, (said.get(language) ?? 0) + text.length)
  return [...said].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
