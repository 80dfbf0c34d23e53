import { availableParallelism } from 'node:os'
import { DECODE_LIMITS, type DecodeLimits } from '../media/decode/limits.ts'
import { SpeechFailure } from './failure.ts'
import { memoryOfMachine, type SpeechModel, selectModels } from './models/select-models.ts'
import type { ResumeRequest, TranscribeRequest, Transcriber } from './types.ts'
import { LANGUAGES, speaks } from './whisper/languages.ts'
import { createBetterEngine } from './worker/better-engine.ts'
import { createWorkerPool } from './worker/worker-pool.ts'
import type { WorkerSettings } from './worker/worker-process.ts'

export { SpeechFailure } from './failure.ts'
export { isModelInstalled } from './models/select-models.ts'

export { withConfirmedSlurs } from './slurs/slurs.ts'
export { UNCLEAR_BELOW } from './types.ts'
export { createVoiceDetector } from './voice/voice-detector.ts'

export interface EmbeddedTranscriberOptions {
  /** Recordings in parallel; each takes a process with its own models. Default: one per core and per 1.5 GiB (2 GiB with the small model). */
  concurrency?: number
  /** The program; null: only the decoders from npm. Default: ffmpeg from the PATH, if installed. */
  ffmpeg?: string | null
  limits?: Partial<DecodeLimits>
  /** Default: `auto`. */
  model?: SpeechModel
  /** The model for English; for comparisons. */
  english?: 'moonshine' | 'whisper'
}

/** Speech to text on this machine, without network access or an API key. */
export function createEmbeddedTranscriber(options: EmbeddedTranscriberOptions = {}) {
  const cores = availableParallelism()
  const { size, english, memory, second } = selectModels(options.model ?? 'auto')
  const affordable = Math.floor(Math.min(cores, (memoryOfMachine() - (second?.memory ?? 0)) / memory))
  const concurrency = options.concurrency ?? Math.max(1, affordable)
  const settings = {
    // Threads of Whisper, so that a single recording uses two cores. The other models use one thread.
    threads: Math.max(1, Math.floor(Math.min(2, cores, (2 * cores) / concurrency))),
    ffmpeg: options.ffmpeg,
    limits: { ...DECODE_LIMITS, ...options.limits },
    size,
    english: options.english ?? english,
  }
  const pool = createWorkerPool(concurrency, settings)
  const better = second && createBetterEngine({ ...settings, size: second.size, english: 'whisper' })
  return {
    capabilities: {
      name: 'embedded',
      languages: LANGUAGES,
      detectsLanguage: true,
      timestamps: true,
      parts: true,
      preRoll: true,
      context: true,
      hotwords: true,
      retryable: ['interrupted', 'unavailable'],
      concurrency,
      models: { fast: modelNames(settings), ...(second && { best: `whisper-${second.size}` }) },
    },
    /** Rejects with a `SpeechFailure`. */
    async transcribe({ signal, language, quality, ...request }: TranscribeRequest) {
      if (language !== null && !speaks(language))
        throw new SpeechFailure('unsupported_language', 'The embedded engine does not support this language.')
      const chosen = quality === 'best' && better ? better : pool
      return chosen.transcribe({ ...request, language, hotwords: [...request.hotwords] }, signal)
    },
    /** Rejects like `transcribe`. */
    resume: ({ signal, ...request }: ResumeRequest) =>
      pool.resume({ ...request, hotwords: [...request.hotwords] }, signal),
    close: async () => void (await Promise.all([pool.close(), better?.close()])),
    /** The process ids of the workers, for measurements. */
    get pids(): number[] {
      return [...pool.pids(), ...(better?.pids() ?? [])]
    },
  } satisfies Transcriber & { pids: number[] }
}

const modelNames = ({ size, english }: Pick<WorkerSettings, 'size' | 'english'>): string =>
  english === 'moonshine' ? `moonshine-base+whisper-${size}` : `whisper-${size}`

export type EmbeddedTranscriber = ReturnType<typeof createEmbeddedTranscriber>
