import { EngineFailure, RETRYABLE } from '../engines/engine-failure.ts'
import type { Summarizer } from '../summaries/summarizer.ts'
import type { Transcriber } from '../transcription/transcriber.ts'

export interface EngineSettings {
  TRANSCRIBER: 'embedded' | 'openai'
  SUMMARIZER: 'embedded' | 'openai'
  OPENAI_BASE_URL?: string | undefined
  OPENAI_API_KEY?: string | undefined
  TRANSCRIBE_MODEL: string
  SUMMARIZE_MODEL: string
  SUMMARIZE_WINDOW: number
}

interface Engines {
  transcriber: Transcriber
  summarizer: Summarizer
}

/** The engines that the settings name. Only those are loaded: all of them would keep 10 MB in memory. */
export async function openEngines(settings: EngineSettings): Promise<Engines> {
  const remote = settings.OPENAI_BASE_URL ? await openRemote(settings, settings.OPENAI_BASE_URL) : null
  return {
    transcriber: settings.TRANSCRIBER === 'openai' && remote ? remote.transcriber : await openEmbedded(),
    summarizer: settings.SUMMARIZER === 'openai' && remote ? remote.summarizer : await openExtractive(),
  }
}

async function openRemote(settings: EngineSettings, baseUrl: string): Promise<Engines> {
  const [{ decodeRecording }, { createModelServer }, { createSplit }, summaries, transcripts] =
    await Promise.all([
      import('../transcription/engines/embedded/decode-recording.ts'),
      import('../engines/openai/client.ts'),
      import('../../media/split/split.ts'),
      import('../summaries/engines/openai/summarizer.ts'),
      import('../transcription/engines/openai/transcriber.ts'),
    ])
  const server = createModelServer({ baseUrl, key: settings.OPENAI_API_KEY ?? null })
  const split = createSplit(decodeRecording)
  return {
    transcriber: transcripts.createOpenAiTranscriber({ server, model: settings.TRANSCRIBE_MODEL, split }),
    summarizer: summaries.createOpenAiSummarizer({
      server,
      model: settings.SUMMARIZE_MODEL,
      windowTokens: settings.SUMMARIZE_WINDOW,
    }),
  }
}

async function openEmbedded(): Promise<Transcriber> {
  const { openEmbeddedTranscriber } = await import(
    '../transcription/engines/embedded/embedded-transcriber.ts'
  )
  return openEmbeddedTranscriber().catch(withoutEngine)
}

async function openExtractive(): Promise<Summarizer> {
  const { createExtractiveSummarizer } = await import('../summaries/engines/extractive/summarizer.ts')
  return createExtractiveSummarizer()
}

/** Recordings are kept, and wait for whoever installs it. */
function withoutEngine(error: unknown): Transcriber {
  if (!(error instanceof EngineFailure)) throw error
  return {
    capabilities: {
      name: 'none',
      languages: [],
      detectsLanguage: false,
      timestamps: false,
      parts: false,
      leads: false,
      hotwords: false,
      retryable: RETRYABLE,
      concurrency: 1,
    },
    transcribe: () => Promise.reject(error),
    close: async () => {},
  }
}
