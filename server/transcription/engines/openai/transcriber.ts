import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import { MediaFailure } from '../../../../media/failure.ts'
import type { AudioPart } from '../../../../media/split/audio-part.ts'
import { createSplit, type Split } from '../../../../media/split/split.ts'
import { EngineFailure, RETRYABLE } from '../../../engines/engine-failure.ts'
import { describe, type Rejected } from '../../../engines/openai/classify-response.ts'
import type { ModelServer } from '../../../engines/openai/client.ts'
import type { Container, Segment, TranscribeRequest, Transcriber, Transcription } from '../../transcriber.ts'
import { type ConfirmSlurs, withoutUnconfirmedSlurs } from './confirm-slurs.ts'
import { type VoiceSpan, withPartTimes } from './silence.ts'
import { type SpeechFormat, speechForm } from './speech-form.ts'
import { readSpeechResponse, type SpeechResponse } from './speech-response.ts'
import { type SpeechUpload, speechUploads } from './speech-uploads.ts'

export interface OpenAiTranscriberOptions {
  server: ModelServer
  model: string
  split?: Split
  /** The server's limit for one upload. */
  maxBytes?: number
  maxSeconds?: number
  /** The length of a part if the server returns no timestamps: its text gets the times of the part. */
  untimedSeconds?: number
  concurrency?: number
  /** Finds speech before audio is uploaded: servers invent text for silence. */
  voice?: VoiceDetector
  /** Servers take quiet speech for slurs that no one said. */
  confirmSlurs?: ConfirmSlurs
}

/** A part of `@parley/speech`, which is optional. */
interface VoiceDetector {
  /** Null if the recording cannot be decoded here. */
  find(path: string, container: Container): Promise<VoiceSpan[] | null>
  close(): Promise<void>
}

const DEFAULTS = {
  split: createSplit(),
  maxBytes: 25_000_000,
  // The newer models reject more than 1,400 s, whatever the size.
  maxSeconds: 1_390,
  untimedSeconds: 60,
  concurrency: 4,
}
/** Servers reject shorter parts. */
const MIN_SECONDS = 0.1
const PATH = '/audio/transcriptions'
const SECOND_TEMPERATURE = 0.4

export function createOpenAiTranscriber(options: OpenAiTranscriberOptions): Transcriber {
  const { server, model, split, maxBytes, maxSeconds, untimedSeconds, concurrency, voice, confirmSlurs } = {
    ...DEFAULTS,
    ...options,
  }
  /** Features of the server, learnt from its responses. */
  const features: { format: SpeechFormat; timestamps: boolean } = {
    format: model.includes('diarize') ? 'diarized_json' : 'verbose_json',
    timestamps: true,
  }

  async function transcribe(request: TranscribeRequest): Promise<Transcription> {
    const { path, container, preRoll = [], signal } = request
    // The pre-roll lies before the beginning of the recording.
    const from = preRoll.length > 0 ? Number.NEGATIVE_INFINITY : request.from
    const seconds = features.timestamps ? maxSeconds : Math.min(maxSeconds, untimedSeconds)
    const limits = { maxBytes, maxSeconds: seconds, from: request.from, preRoll, signal }
    const transcribed: TranscribedPart[] = []
    let duration = 0
    for await (const part of split(path, container, limits)) {
      duration = part.end
      if (part.end <= from || part.end - part.start < MIN_SECONDS) continue
      // Without detection, a lost minute would be worse than an invented sentence.
      const spoken = (await voice?.find(part.path, part.container).catch(() => null)) ?? null
      if (spoken?.length === 0) continue
      for await (const upload of speechUploads(part, spoken, { maxBytes, signal })) {
        const first = await transcribeUpload(upload, request)
        if (first === null) return transcribe(request)
        const response = await checked(first, upload, request)
        const number = transcribed.length + 1
        const segments = segmentsOf(timesOf(part, upload), response, number).flatMap(after(from))
        transcribed.push({ response, segments })
      }
    }
    const language = languageOf(request, transcribed)
    const segments = transcribed.flatMap((part) => withLanguage(part, language))
    return { language, duration, isWhole: true, segments }
  }

  const checked = async (response: SpeechResponse, upload: SpeechUpload, request: TranscribeRequest) =>
    confirmSlurs
      ? withoutUnconfirmedSlurs(response, request.language, {
          confirm: confirmSlurs,
          ask: () => transcribeAgain(upload, request),
        })
      : response

  /** A temperature above 0, since the same request would have the same result. Empty if the server rejects it. */
  async function transcribeAgain(
    { file, seconds }: SpeechUpload,
    request: TranscribeRequest,
  ): Promise<string> {
    const { language, signal, isChosen = true } = request
    const form = await speechForm(file, {
      model,
      format: features.format,
      language: isChosen ? language : null,
      hotwords: [],
      temperature: SECOND_TEMPERATURE,
    })
    const reply = await server.post(PATH, form, signal)
    return reply.ok ? readSpeechResponse(reply, seconds).text : ''
  }

  /**
   * With times of the part. Null if the server returns no timestamps and the upload is too long without them: then the recording is
   * split again.
   */
  async function transcribeUpload(
    upload: SpeechUpload,
    request: TranscribeRequest,
  ): Promise<SpeechResponse | null> {
    const { file, seconds, stretches } = upload
    const { hotwords, signal, isChosen = true } = request
    // Servers do not weigh it: with a language, they transcribe speech in another one as if it were in this one.
    const language = isChosen ? request.language : null
    const { format } = features
    const form = await speechForm(file, { model, format, language, hotwords })
    const reply = await server.post(PATH, form, signal)
    if (reply.ok) {
      const response = readSpeechResponse(reply, seconds)
      if (!response.hasTimestamps && response.text !== '') features.timestamps = false
      return stretches ? withPartTimes(response, stretches) : response
    }
    if (format === 'json' || !isAboutFormat(reply)) throw toFailure(reply)
    features.format = 'json'
    features.timestamps = false
    return seconds > untimedSeconds ? null : transcribeUpload(upload, request)
  }

  return {
    capabilities: {
      name: 'openai',
      languages: 'any',
      detectsLanguage: true,
      get timestamps() {
        return features.timestamps
      },
      // Each request costs money, and the server queues requests itself: a recording is uploaded as a whole.
      parts: false,
      get preRoll() {
        return features.timestamps
      },
      hotwords: true,
      retryable: RETRYABLE,
      concurrency,
      models: { fast: model },
    },
    transcribe: (request) => transcribe(request).catch(throwAsEngineFailure),
    close: async () => {
      await voice?.close()
      await server.close()
    },
  }
}

function throwAsEngineFailure(error: unknown): never {
  throw error instanceof MediaFailure ? new EngineFailure(error.code, error.message) : error
}

/** Servers also reject a part for its size or its audio. Then a simpler format does not help. */
const isAboutFormat = ({ status, mentions }: Rejected): boolean =>
  (status === 400 || status === 422) &&
  mentions(/response_format|timestamp_granularities|verbose_json|diarized_json/)

const UNSUPPORTED_LANGUAGE = /unsupported.language|language.{0,40}not supported/i

function toFailure({ status, codes, mentions }: Rejected): EngineFailure {
  const code = mentions(UNSUPPORTED_LANGUAGE) ? 'unsupported_language' : 'unreadable'
  return new EngineFailure(code, describe(status, codes))
}

/** Where the audio of an upload is in the recording, and second 0 of its part. */
const timesOf = ({ start, end }: AudioPart, { stretches }: SpeechUpload): UploadTimes => ({
  zero: start,
  start: start + (stretches?.[0]?.start ?? 0),
  end: stretches ? start + (stretches.at(-1)?.end ?? 0) : end,
})

interface UploadTimes extends VoiceSpan {
  zero: number
}

/** In the recording's time. Text without timestamps gets the times of its upload. */
function segmentsOf(
  { zero, start, end }: UploadTimes,
  { text, segments }: SpeechResponse,
  number: number,
): Segment[] {
  if (!segments) return text === '' ? [] : [{ start, end, text }]
  const moved = <T extends { start: number; end: number }>(one: T): T => ({
    ...one,
    start: zero + one.start,
    end: zero + one.end,
  })
  return segments.map(({ speaker, words, ...segment }) => ({
    ...moved(segment),
    // The server labels the speakers of each part on their own: `A` of the second part can be another person.
    ...(speaker && { speaker: number === 1 ? speaker : `${speaker}-${number}` }),
    ...(words && { words: words.map(moved) }),
  }))
}

const after =
  (from: number) =>
  (segment: Segment): Segment[] =>
    segment.end <= from ? [] : [{ ...segment, start: Math.max(segment.start, from) }]

interface TranscribedPart {
  response: SpeechResponse
  segments: Segment[]
}

/** Segments of a part in another language than the recording's have their own. */
const withLanguage = ({ response, segments }: TranscribedPart, whole: string | null): Segment[] =>
  response.language === null || response.language === whole
    ? segments
    : segments.map((segment) => ({ language: response.language as string, ...segment }))

/** The language that the server detected, else the requested one, else a guess from the words. */
function languageOf({ language }: TranscribeRequest, parts: readonly TranscribedPart[]): string | null {
  const texts = parts.flatMap(({ segments }) => segments.map(({ text }) => text))
  if (texts.length === 0) return null
  return mostSpoken(parts) ?? language ?? guessLanguage(texts)
}

function mostSpoken(parts: readonly TranscribedPart[]): string | null {
  const lengths = new Map<string, number>()
  for (const {
    response: { language, text },
  } of parts)
    if (language !== null) lengths.set(language, (lengths.get(language) ?? 0) + text.length)
  return [...lengths].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
