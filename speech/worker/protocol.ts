import type { DecodeLimits } from '../../media/decode/limits.ts'
import type { EngineFailureCode } from '../../server/engines/engine-failure.ts'
import type { Transcription } from '../../server/transcription/transcriber.ts'
import type { Job } from '../transcribe.ts'

/** Given to a worker at its start, as JSON in its first argument. */
export interface WorkerSettings {
  threads: number
  ffmpeg: string | null
  limits: DecodeLimits
  english: 'moonshine' | 'whisper'
}

/** To the worker, which does one job at a time. */
export type Order = { type: 'transcribe'; job: Job } | { type: 'abort' }

/** From the worker: many steps, then one of the others. */
export type Answer =
  | { type: 'step' }
  | { type: 'done'; transcription: Transcription }
  | { type: 'failed'; code: EngineFailureCode; message: string }
