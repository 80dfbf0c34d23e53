import type { Logger } from '../../platform/log.ts'
import type { Engines } from '../compose.ts'
import type { Settings } from '../config.ts'
import { EngineFailure, RETRYABLE } from '../engines/engine-failure.ts'
import type { ModelServer, ModelServerOptions } from '../engines/openai/client.ts'
import type { Summarizer } from '../summaries/summarizer.ts'
import type { Transcriber } from '../transcription/transcriber.ts'

type Required = 'TRANSCRIBER' | 'TRANSCRIBE_MODEL' | 'SUMMARIZER' | 'SUMMARIZE_MODEL' | 'SUMMARIZE_WINDOW'
type Optional =
  | 'SUMMARIZE_MAX_TOKENS'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_API_KEY'
  | 'TRANSCRIBE_BASE_URL'
  | 'TRANSCRIBE_API_KEY'
  | 'TRANSCRIBE_VOICE_DETECTION'
  | 'SUMMARIZE_BASE_URL'
  | 'SUMMARIZE_API_KEY'
  | 'SPEECH_MODEL'

export type EngineSettings = Pick<Settings, Required> & Partial<Pick<Settings, Optional>>

/** The engines that the settings select. Only those are loaded: all of them would take 10 MB of memory. */
export async function openEngines(settings: EngineSettings, log?: Logger): Promise<Engines> {
  const { TRANSCRIBER, SUMMARIZER } = settings
  return {
    transcriber:
      TRANSCRIBER === 'openai' ? await openRemoteTranscriber(settings) : await openEmbedded(settings),
    summarizer: SUMMARIZER === 'openai' ? await openRemoteSummarizer(settings, log) : await openExtractive(),
  }
}

/** Speech and text can have servers of their own, each with its own connections and circuit breaker. */
async function openServer(
  settings: EngineSettings,
  task: 'TRANSCRIBE' | 'SUMMARIZE',
  options: Pick<ModelServerOptions, 'maxOpenMs'> = {},
): Promise<ModelServer> {
  const { createModelServer } = await import('../engines/openai/client.ts')
  const baseUrl = settings[`${task}_BASE_URL`] ?? settings.OPENAI_BASE_URL
  const key = settings[`${task}_API_KEY`] ?? settings.OPENAI_API_KEY
  if (baseUrl === undefined) throw new Error(`The settings have no ${task}_BASE_URL`)
  return createModelServer({ baseUrl, key: key ?? null, ...options })
}

async function openRemoteTranscriber(settings: EngineSettings): Promise<Transcriber> {
  const { createOpenAiTranscriber } = await import('../transcription/engines/openai/transcriber.ts')
  const { loadSpeech, PACKAGE } = await import('../transcription/engines/embedded/embedded-transcriber.ts')
  const server = await openServer(settings, 'TRANSCRIBE')
  const { TRANSCRIBE_VOICE_DETECTION: detects = true } = settings
  const speech = await loadSpeech(PACKAGE).catch(() => null)
  return createOpenAiTranscriber({
    server,
    model: settings.TRANSCRIBE_MODEL,
    ...(speech && detects && { voice: speech.createVoiceDetector() }),
    ...(speech && { confirmSlurs: speech.withConfirmedSlurs }),
  })
}

/**
 * After 8 attempts sentences are selected instead. With pauses of 5 minutes, everyone who speaks during an outage of the model would wait
 * 40 minutes for that.
 */
export const MAX_WAIT_FOR_MODEL_MS = 30_000

async function openRemoteSummarizer(settings: EngineSettings, log?: Logger): Promise<Summarizer> {
  const { createOpenAiSummarizer } = await import('../summaries/engines/openai/summarizer.ts')
  const { SUMMARIZE_MODEL: model, SUMMARIZE_WINDOW: windowTokens, SUMMARIZE_MAX_TOKENS } = settings
  return createOpenAiSummarizer({
    server: await openServer(settings, 'SUMMARIZE', { maxOpenMs: MAX_WAIT_FOR_MODEL_MS }),
    model,
    windowTokens,
    ...(SUMMARIZE_MAX_TOKENS !== undefined && { responseTokens: SUMMARIZE_MAX_TOKENS }),
    onFallback: (reason, code) =>
      log?.warn(
        { component: 'summaries', code, reason },
        'Language model returned no usable result; using an extractive summary',
      ),
  })
}

async function openEmbedded({ SPEECH_MODEL = 'auto' }: EngineSettings): Promise<Transcriber> {
  const { openEmbeddedTranscriber } = await import(
    '../transcription/engines/embedded/embedded-transcriber.ts'
  )
  return openEmbeddedTranscriber({ model: SPEECH_MODEL }).catch(withoutEngine)
}

async function openExtractive(): Promise<Summarizer> {
  const { createExtractiveSummarizer } = await import('../summaries/engines/extractive/summarizer.ts')
  return createExtractiveSummarizer()
}

/** Recordings are stored, and transcribed once the engine is installed. */
function withoutEngine(error: unknown): Transcriber {
  if (!(error instanceof EngineFailure)) throw error
  return {
    capabilities: {
      name: 'none',
      languages: [],
      detectsLanguage: false,
      timestamps: false,
      parts: false,
      preRoll: false,
      hotwords: false,
      retryable: RETRYABLE,
      concurrency: 1,
    },
    transcribe: () => Promise.reject(error),
    close: async () => {},
  }
}
