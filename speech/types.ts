import type { Container } from '../media/containers/container.ts'
import type { MediaFailureCode } from '../media/failure.ts'
import type { PreRollFile } from '../media/split/audio-part.ts'

export type { Container, PreRollFile }

/**
 * The reason why a transcription failed. In addition to those of `MediaFailureCode`:
 * - `unsupported_language`: the engine cannot transcribe the language.
 * - `misconfigured`: a missing model, a wrong key, no credit left. The operator must act.
 */
export type TranscriptionFailureCode = MediaFailureCode | 'unsupported_language' | 'misconfigured'

/** Speech to text. */
export interface Transcriber {
  readonly capabilities: TranscriberCapabilities
  /** Rejects with an error whose `code` is a `TranscriptionFailureCode`. */
  transcribe(request: TranscribeRequest): Promise<Transcription>
  /** Continues with the state that the engine kept after the previous chunk. Null if it kept none: call `transcribe` instead. */
  resume?(request: ResumeRequest): Promise<Transcription | null>
  close(): Promise<void>
}

interface TranscriberCapabilities {
  name: string
  /** ISO 639-1 codes, or `any`. */
  languages: 'any' | readonly string[]
  detectsLanguage: boolean
  /** Whether segments have times. Otherwise a segment is as long as the audio that was sent. */
  timestamps: boolean
  /** Whether it stops at `until`, so that long recordings are transcribed part by part. */
  parts: boolean
  /** Whether it accepts `preRoll`, so that phrases that span two recordings are transcribed whole. */
  preRoll: boolean
  /** Whether it accepts `finishedTo`. Absent: it does not. */
  context?: boolean
  /** Whether it uses `hotwords`. */
  hotwords: boolean
  /** Failures after which a retry can succeed. */
  retryable: readonly TranscriptionFailureCode[]
  /** How many recordings this process transcribes in parallel. */
  concurrency: number
  /** The names of its models, if known: of `fast` requests, and of `best` ones if they use another model. */
  models?: { fast: string; best?: string }
}

export interface TranscribeRequest {
  /** A local file in the format `container`, regardless of its name. */
  path: string
  container: Container
  /** ISO 639-1; null: detect it. */
  language: string | null
  /** False if `language` was not chosen for this recording: speech in another language is transcribed in that one. */
  isChosen?: boolean
  /** The languages to choose from when it is detected; none: all. Engines that cannot restrict detection ignore it. */
  candidates?: readonly string[]
  /** Names and terms that are likely to occur. */
  hotwords: readonly string[]
  /** Seconds; audio before it was transcribed earlier and is left out. */
  from: number
  /** Seconds; audio after it is left out if the engine supports `parts`. */
  until?: number
  /** Recordings that end where this one begins, transcribed together with it if the engine supports `preRoll`. */
  preRoll?: readonly PreRollFile[]
  /**
   * Seconds, below 0 in the pre-roll; absent: where the audio begins. Speech before it was transcribed earlier. The audio before it is
   * only searched for speech, so that the speech after it is divided as if the engine had not forgotten what came before.
   */
  finishedTo?: number
  /** ISO 639-1: the language of the speech before `finishedTo`, if the engine detected it. */
  spokenBefore?: string
  /** If the file ends with a chunk of a live recording. */
  live?: LiveChunk
  /** `best`: by a better model, if there is one; it takes more time. Default: `fast`. */
  quality?: 'fast' | 'best'
  signal: AbortSignal
}

/** One chunk of a recording that is sent while it is made. */
export interface LiveChunk {
  conversation: string
  /** Identifies the chunk and everything before it. */
  position: string
  /** The position of the chunk before it. */
  after: string | null
}

export interface ResumeRequest
  extends Omit<TranscribeRequest, 'until' | 'preRoll' | 'live' | 'finishedTo' | 'spokenBefore'> {
  live: LiveChunk
  /** Only the bytes of this chunk. */
  path: string
  /** Whether the chunk continues the file of the one before. */
  isContinued: boolean
  /** Seconds from the beginning of the chunk, 0 or less: where the transcription must begin. */
  from: number
}

export interface Transcription {
  /** ISO 639-1; null if there is no speech. */
  language: string | null
  /** Seconds that were decoded. */
  duration: number
  /** Whether the end of the recording was reached, not only `until`. */
  isWhole: boolean
  /** In order, without overlaps; empty if there is no speech. */
  segments: Segment[]
  /** Seconds, like those of segments: speech after it continues at the end of the audio. Absent if the engine does not detect it. */
  finishedTo?: number
}

/** Segments with a lower confidence are probably wrong (docs/decisions/0025). */
export const UNCLEAR_BELOW = 0.55

/** Replaces words that were not understood, or not confirmed. */
export const UNCONFIRMED_WORD = '[unclear]'

export interface Segment {
  /** Seconds from the beginning of the file; below 0 in the pre-roll. */
  start: number
  end: number
  text: string
  /** ISO 639-1, if the engine detected the language of this segment. */
  language?: string
  /** From 0 to 1, if the engine reports it: how sure it is of the words. */
  confidence?: number
  /** The same for each word, if the engine reports it. */
  words?: readonly Word[]
  /** A label that is the same for all segments of one speaker, if the engine tells speakers apart. */
  speaker?: string
}

/** Times are in seconds, like those of its segment. */
export interface Word {
  start: number
  end: number
  text: string
  confidence: number
}
