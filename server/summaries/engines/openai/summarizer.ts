import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import { primaryLanguage } from '../../../engines/language-tag.ts'
import { type ModelServer, ModelTimeout } from '../../../engines/openai/client.ts'
import { promptsFor } from '../../prompts/index.ts'
import type { Fallback, Provenance, Summarizer } from '../../summarizer.ts'
import { reportByExtract } from '../extractive/report.ts'
import { summarizeByExtract } from '../extractive/summarizer.ts'
import { ContextTooLong, createChat, NoResult, stopAfterFailures } from './chat.ts'
import type { SummaryContext } from './notes.ts'
import { reportByModel } from './report.ts'
import { summarizeByModel } from './summarize.ts'

export interface OpenAiSummarizerOptions {
  server: ModelServer
  model: string
  /** The model's context window, prompt and response together. Some servers truncate longer prompts silently. */
  windowTokens?: number
  /** The maximum length of a response. */
  responseTokens?: number
  temperature?: number | null
  /** Parallel requests for a report. */
  concurrency?: number
  /** Called when sentences are selected instead. The message contains no transcript text. */
  onFallback?: (message: string, reason: Fallback) => void
}

const DEFAULTS = {
  windowTokens: 8_192,
  responseTokens: 1_500,
  temperature: null,
  concurrency: 2,
  onFallback: () => {},
}
/** The tokens of the instructions, in the language that needs the most. */
const PROMPT_TOKENS = 900
const MIN_SOURCE_TOKENS = 500
const SAMPLE = 50

/** Null for failures that a later attempt can solve. */
function fallbackOf(error: unknown): Fallback | null {
  if (error instanceof NoResult) return error.reason
  // The shortest prompt is too long for it.
  if (error instanceof ContextTooLong) return 'token_limit'
  return error instanceof ModelTimeout ? 'unavailable' : null
}

/** Selects sentences if the model gives no result, and says why. */
async function orExtract<Result extends Provenance>(
  byModel: Promise<Result>,
  extract: () => Promise<Result>,
  onFallback: (message: string, reason: Fallback) => void,
): Promise<Result> {
  try {
    return await byModel
  } catch (error) {
    const fallback = fallbackOf(error)
    if (fallback === null) throw error
    onFallback((error as Error).message, fallback)
    return { ...(await extract()), fallback }
  }
}

export function createOpenAiSummarizer(options: OpenAiSummarizerOptions): Summarizer {
  const { server, model, windowTokens, responseTokens, temperature, concurrency, onFallback } = {
    ...DEFAULTS,
    ...options,
  }
  const chat = createChat({ server, model, maxTokens: responseTokens, temperature })
  const sourceTokens = Math.max(MIN_SOURCE_TOKENS, windowTokens - responseTokens - PROMPT_TOKENS)

  /**
   * The window can be smaller than configured, or the text longer than estimated. If the server says so, the job starts over with
   * half the sources per prompt. The next job starts with the full size, as it can be in another language.
   */
  async function withSmallerPrompts<Result>(
    work: (context: SummaryContext) => Promise<Result>,
    tag: string | null,
    signal: AbortSignal,
  ) {
    const context = {
      chat: stopAfterFailures(chat),
      provenance: { method: 'generative', model } as const,
      prompts: promptsFor(tag),
      language: tag && primaryLanguage(tag),
      concurrency,
      signal,
    }
    for (let maxTokens = sourceTokens; ; maxTokens = Math.max(MIN_SOURCE_TOKENS, Math.floor(maxTokens / 2)))
      try {
        return await work({ ...context, maxTokens })
      } catch (error) {
        if (!(error instanceof ContextTooLong) || maxTokens <= MIN_SOURCE_TOKENS) throw error
      }
  }

  return {
    capabilities: { name: 'openai' },
    summarize: ({ utterances, signal, ...given }) => {
      const language = given.language ?? guessLanguage(utterances.slice(0, SAMPLE).map(({ text }) => text))
      const request = { utterances, signal, language }
      const byModel = withSmallerPrompts((context) => summarizeByModel(context, request), language, signal)
      return orExtract(byModel, () => summarizeByExtract(request), onFallback)
    },
    report: (request) => {
      let furthest = 0
      const onProgress = (share: number) => {
        furthest = Math.max(furthest, share)
        request.onProgress(furthest)
      }
      const byModel = withSmallerPrompts(
        (context) => reportByModel(context, { ...request, onProgress }),
        primaryLanguage(request.language),
        request.signal,
      )
      return orExtract(byModel, () => reportByExtract({ ...request, onProgress }), onFallback)
    },
    close: () => server.close(),
  }
}
