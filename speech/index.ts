import { availableParallelism, totalmem } from 'node:os'
import { decodeAudio } from '../media/decode/decode.ts'
import { findFfmpeg } from '../media/decode/find-ffmpeg.ts'
import { DECODE_LIMITS, type DecodeLimits, SAMPLE_RATE } from '../media/decode/limits.ts'
import type {
  Container,
  TranscribeRequest,
  Transcriber,
  TranscriberCapabilities,
} from '../server/transcription/transcriber.ts'
import { SpeechFailure } from './failure.ts'
import { LANGUAGES, speaks } from './whisper/languages.ts'
import type { WorkerSettings } from './worker/protocol.ts'
import { WorkerPool } from './worker/worker-pool.ts'

export { SpeechFailure } from './failure.ts'

/** The samples of a recording from a second on, for others who cut it; decoded like all others, in a process of their own. */
export function decodeRecording(
  path: string,
  container: Container,
  signal: AbortSignal,
  from: number,
): { rate: number; samples: AsyncIterable<Float32Array> } {
  const skip = Math.round(from * SAMPLE_RATE)
  const recording = { path, container, signal, ffmpeg: findFfmpeg(), limits: DECODE_LIMITS, skip }
  return { rate: SAMPLE_RATE, samples: decodeAudio(recording) }
}

export interface EmbeddedTranscriberOptions {
  /** Recordings at once; each takes a process with models of its own. Left out: one for two cores, and for 3 GiB. */
  concurrency?: number
  /** A program; null: the decoders of npm alone, which lack AAC. Left out: looked for on the PATH. */
  ffmpeg?: string | null
  limits?: Partial<DecodeLimits>
  /** Which model hears English; for comparisons. */
  english?: 'moonshine' | 'whisper'
}

const MEMORY_PER_JOB = 3 * 2 ** 30

/** Speech to text on this machine: no network, no key. */
export class EmbeddedTranscriber implements Transcriber {
  readonly capabilities: TranscriberCapabilities
  private readonly pool: WorkerPool

  constructor(concurrency: number, settings: WorkerSettings) {
    this.pool = new WorkerPool(concurrency, settings)
    this.capabilities = {
      name: 'embedded',
      languages: LANGUAGES,
      detectsLanguage: true,
      timestamps: true,
      parts: true,
      leads: true,
      hotwords: true,
      retryable: ['interrupted', 'unavailable'],
      concurrency,
    }
  }

  /** Rejects with a `SpeechFailure`. */
  async transcribe({ signal, language, ...request }: TranscribeRequest) {
    if (language !== null && !speaks(language))
      throw new SpeechFailure('unsupported_language', 'The embedded engine does not speak this language.')
    return this.pool.run({ ...request, language, hotwords: [...request.hotwords] }, signal)
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  /** Of its workers, for those who measure them. */
  get pids(): number[] {
    return this.pool.pids
  }
}

export function createEmbeddedTranscriber(options: EmbeddedTranscriberOptions = {}): EmbeddedTranscriber {
  const cores = availableParallelism()
  const affordable = Math.floor(Math.min(cores / 2, totalmem() / MEMORY_PER_JOB))
  const concurrency = options.concurrency ?? Math.max(1, affordable)
  return new EmbeddedTranscriber(concurrency, {
    threads: Math.max(1, Math.floor(cores / concurrency)),
    ffmpeg: options.ffmpeg === undefined ? findFfmpeg() : options.ffmpeg,
    limits: { ...DECODE_LIMITS, ...options.limits },
    english: options.english ?? 'moonshine',
  })
}
