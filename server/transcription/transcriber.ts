import type { Container } from '../conversations/index.ts'
import type { EngineFailureCode } from '../engines/engine-failure.ts'

export type { Container }

/** Speech to text. What an engine can do is data, so that nobody asks for its name. */
export interface Transcriber {
  readonly capabilities: TranscriberCapabilities
  /** Rejects with an `EngineFailure`. */
  transcribe(request: TranscribeRequest): Promise<Transcription>
  close(): Promise<void>
}

export interface TranscriberCapabilities {
  name: string
  /** ISO 639-1 codes that it speaks, or `any`. */
  languages: 'any' | readonly string[]
  /** Whether it finds out the language by itself. */
  detectsLanguage: boolean
  /** Whether it tells when each phrase was said; else a phrase is as long as what was sent. */
  timestamps: boolean
  /** Whether it can stop at `until`: then long recordings are heard part by part. */
  parts: boolean
  /** Whether it can begin in the recordings before (`lead`): then phrases are heard whole that run from one into the next. */
  leads: boolean
  /** Whether `hotwords` help it. */
  hotwords: boolean
  /** Failures after which another try may succeed. */
  retryable: readonly EngineFailureCode[]
  /** Recordings at once in this process. */
  concurrency: number
}

export interface TranscribeRequest {
  /** A file on this machine; its bytes are in `container`, whatever its name says. */
  path: string
  container: Container
  /** ISO 639-1, or null: found out. */
  language: string | null
  /** Which it may be then; none, or left out: any. An engine that can't be told finds out by itself. */
  candidates?: readonly string[]
  /** Names and terms that were probably said. */
  hotwords: readonly string[]
  /** What precedes this moment, in seconds, was transcribed before and is left out. */
  from: number
  /** Nothing after this moment is heard, where `parts` says so. */
  until?: number
  /** Recordings that end where this one begins, to be heard before it, where `leads` says so. */
  lead?: readonly Lead[]
  signal: AbortSignal
}

export interface Lead {
  path: string
  container: Container
  /** In seconds of its own. */
  from: number
}

export interface Transcription {
  /** ISO 639-1; null where nothing was said. */
  language: string | null
  /** As far as it was decoded, in seconds. */
  duration: number
  /** Whether that is the end of the recording, and not only `until`. */
  isWhole: boolean
  /** In order, without overlaps; empty where nothing was said. */
  segments: Segment[]
}

export interface Segment {
  /** Seconds from the beginning of the file; below 0 in what leads to it. */
  start: number
  end: number
  text: string
}
