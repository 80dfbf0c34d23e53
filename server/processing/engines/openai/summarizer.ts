import { promptsFor } from '../../prompts/index.ts'
import type { Summarizer } from '../../summarizer.ts'
import { guessLanguage, primaryLanguage } from '../extractive/lexicon.ts'
import { createChat, TooLong } from './chat.ts'
import type { ModelServer } from './client.ts'
import type { Desk } from './notes.ts'
import { reportByModel } from './report.ts'
import { summarizeByModel } from './summarize.ts'

export interface OpenAiSummarizerOptions {
  server: ModelServer
  model: string
  /** What the model can look at, question and answer together. Some servers cut off what is more without a word. */
  windowTokens?: number
  answerTokens?: number
  temperature?: number | null
  /** Questions at once, for a report. */
  concurrency?: number
}

const DEFAULTS = { windowTokens: 8_192, answerTokens: 1_500, temperature: null, concurrency: 2 }
/** Of the prompts, in the language that takes most. */
const PROMPT_TOKENS = 900
const SMALLEST_MATERIAL = 500
const SAMPLE = 50

export function createOpenAiSummarizer(options: OpenAiSummarizerOptions): Summarizer {
  const { server, model, windowTokens, answerTokens, temperature, concurrency } = { ...DEFAULTS, ...options }
  const chat = createChat({ server, model, answerTokens, temperature })
  let maxTokens = Math.max(SMALLEST_MATERIAL, windowTokens - answerTokens - PROMPT_TOKENS)

  /** The window may be smaller than we were told: once a server says so, all later questions are shorter. */
  async function shrinking<Result>(
    work: (desk: Desk) => Promise<Result>,
    language: string | null,
    signal: AbortSignal,
  ) {
    for (;;) {
      const tried = maxTokens
      try {
        return await work({ chat, prompts: promptsFor(language), language, maxTokens: tried, signal })
      } catch (error) {
        if (!(error instanceof TooLong) || tried <= SMALLEST_MATERIAL) throw error
        maxTokens = Math.min(maxTokens, Math.max(SMALLEST_MATERIAL, Math.floor(tried / 2)))
      }
    }
  }

  return {
    capabilities: { name: 'openai', method: 'generative' },
    summarize: (request) => {
      const language =
        request.language ?? guessLanguage(request.utterances.slice(0, SAMPLE).map(({ text }) => text))
      return shrinking((desk) => summarizeByModel(desk, { ...request, language }), language, request.signal)
    },
    report: (request) => {
      let furthest = 0
      const onProgress = (share: number) => {
        furthest = Math.max(furthest, share)
        request.onProgress(furthest)
      }
      const work = (desk: Desk) => reportByModel(desk, { ...request, onProgress }, concurrency)
      return shrinking(work, primaryLanguage(request.language), request.signal)
    },
    close: () => server.close(),
  }
}
