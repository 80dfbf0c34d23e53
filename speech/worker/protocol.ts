import type { DecodeLimits } from '../../media/decode/limits.ts'
import type { Job } from '../transcribe.ts'
import type { Transcription, TranscriptionFailureCode } from '../types.ts'

/** Passed to a worker at its start, as JSON in its first argument. */
export interface WorkerSettings {
  threads: number
  ffmpeg: string | null
  limits: DecodeLimits
  english: 'moonshine' | 'whisper'
}

/** To the worker, which does one job at a time. */
export type WorkerRequest = { type: 'transcribe'; job: Job } | { type: 'abort' }

/** From the worker: any number of steps, then one of the others. */
export type WorkerResponse =
  | { type: 'step' }
  | { type: 'done'; transcription: Transcription }
  | { type: 'failed'; code: TranscriptionFailureCode; message: string }
