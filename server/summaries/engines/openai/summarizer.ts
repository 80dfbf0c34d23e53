import { guessLanguage, primaryLanguage } from '../../../../grounding/text/lexicon.ts'
import type { ModelServer } from '../../../engines/openai/client.ts'
import { promptsFor } from '../../prompts/index.ts'
import type { Making, Summarizer } from '../../summarizer.ts'
import { createChat, TooLong } from './chat.ts'
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
  const written: Making = { method: 'generative', model }
  const room = Math.max(SMALLEST_MATERIAL, windowTokens - answerTokens - PROMPT_TOKENS)

  /**
   * The window may be smaller than we were told, or the words longer than we guessed: where a server says so, the job
   * starts over with half the material in a question. The next job begins as this one did: it may be in another language.
   */
  async function shrinking<Result>(
    work: (desk: Desk) => Promise<Result>,
    language: string | null,
    signal: AbortSignal,
  ) {
    const prompts = promptsFor(language)
    const primary = language && primaryLanguage(language)
    const desk = { chat, written, prompts, language: primary, signal }
    for (let maxTokens = room; ; maxTokens = Math.max(SMALLEST_MATERIAL, Math.floor(maxTokens / 2)))
      try {
        return await work({ ...desk, maxTokens })
      } catch (error) {
        if (!(error instanceof TooLong) || maxTokens <= SMALLEST_MATERIAL) throw error
      }
  }

  return {
    capabilities: { name: 'openai' },
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
