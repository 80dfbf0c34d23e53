import type { Engines } from '../compose.ts'
import type { Settings } from '../config.ts'
import { EngineFailure, RETRYABLE } from '../engines/engine-failure.ts'
import type { Summarizer } from '../summaries/summarizer.ts'
import type { Transcriber } from '../transcription/transcriber.ts'

export type EngineSettings = Pick<
  Settings,
  'TRANSCRIBER' | 'TRANSCRIBE_MODEL' | 'SUMMARIZER' | 'SUMMARIZE_MODEL' | 'SUMMARIZE_WINDOW'
> &
  Partial<Pick<Settings, 'OPENAI_BASE_URL' | 'OPENAI_API_KEY' | 'SPEECH_MODEL'>>

/** The engines that the settings select. Only those are loaded: all of them would take 10 MB of memory. */
export async function openEngines(settings: EngineSettings): Promise<Engines> {
  const remote = settings.OPENAI_BASE_URL ? await openRemote(settings, settings.OPENAI_BASE_URL) : null
  return {
    transcriber:
      settings.TRANSCRIBER === 'openai' && remote ? remote.transcriber : await openEmbedded(settings),
    summarizer: settings.SUMMARIZER === 'openai' && remote ? remote.summarizer : await openExtractive(),
  }
}

async function openRemote(settings: EngineSettings, baseUrl: string): Promise<Engines> {
  const [{ createModelServer }, summaries, transcription] = await Promise.all([
    import('../engines/openai/client.ts'),
    import('../summaries/engines/openai/summarizer.ts'),
    import('../transcription/engines/openai/transcriber.ts'),
  ])
  const server = createModelServer({ baseUrl, key: settings.OPENAI_API_KEY ?? null })
  return {
    transcriber: transcription.createOpenAiTranscriber({ server, model: settings.TRANSCRIBE_MODEL }),
    summarizer: summaries.createOpenAiSummarizer({
      server,
      model: settings.SUMMARIZE_MODEL,
      windowTokens: settings.SUMMARIZE_WINDOW,
    }),
  }
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
