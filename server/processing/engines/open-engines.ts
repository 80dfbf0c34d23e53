import type { Logger } from '../../kernel/log.ts'
import { EngineFailure } from '../engine-failure.ts'
import type { Summarizer } from '../summarizer.ts'
import type { Transcriber } from '../transcriber.ts'
import { decodeRecording } from './embedded/decode-recording.ts'
import { openEmbeddedTranscriber } from './embedded/embedded-transcriber.ts'
import { createExtractiveSummarizer } from './extractive/summarizer.ts'
import { createModelServer } from './openai/client.ts'
import { createSplit } from './openai/split.ts'
import { createOpenAiSummarizer } from './openai/summarizer.ts'
import { createOpenAiTranscriber } from './openai/transcriber.ts'

export interface EngineSettings {
  TRANSCRIBER: 'embedded' | 'openai'
  SUMMARIZER: 'embedded' | 'openai'
  OPENAI_BASE_URL?: string | undefined
  OPENAI_API_KEY?: string | undefined
  TRANSCRIBE_MODEL: string
  SUMMARIZE_MODEL: string
}

/** The engines that the settings name. */
export async function openEngines(
  settings: EngineSettings,
  log: Logger,
): Promise<{ transcriber: Transcriber; summarizer: Summarizer }> {
  const server = settings.OPENAI_BASE_URL
    ? createModelServer({ baseUrl: settings.OPENAI_BASE_URL, key: settings.OPENAI_API_KEY ?? null })
    : null
  return {
    transcriber:
      settings.TRANSCRIBER === 'openai' && server
        ? createOpenAiTranscriber({
            server,
            model: settings.TRANSCRIBE_MODEL,
            split: createSplit(decodeRecording),
          })
        : await openEmbeddedTranscriber().catch((error: unknown) => withoutEngine(error, log)),
    summarizer:
      settings.SUMMARIZER === 'openai' && server
        ? createOpenAiSummarizer({ server, model: settings.SUMMARIZE_MODEL })
        : createExtractiveSummarizer(),
  }
}

/** Recordings are kept, and wait for whoever installs it. */
function withoutEngine(error: unknown, log: Logger): Transcriber {
  if (!(error instanceof EngineFailure)) throw error
  log.error({ err: error, component: 'processing' }, 'nothing can be transcribed here')
  return {
    capabilities: { name: 'none', languages: [], detectsLanguage: false, hotwords: false, concurrency: 1 },
    transcribe: () => Promise.reject(error),
    close: async () => {},
  }
}
