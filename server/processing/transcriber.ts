import type { Container } from '../conversations/index.ts'

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
  /** Whether `hotwords` help it. */
  hotwords: boolean
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
  signal: AbortSignal
}

export interface Transcription {
  /** ISO 639-1; null where nothing was said. */
  language: string | null
  /** Of the whole file, in seconds, as decoded. */
  duration: number
  /** In order, without overlaps; empty where nothing was said. */
  segments: Segment[]
}

export interface Segment {
  /** Seconds from the beginning of the file. */
  start: number
  end: number
  text: string
}
