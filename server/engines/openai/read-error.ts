import { z } from 'zod'

/** What may be known of an answer that is an error. */
export interface ErrorWords {
  /**
   * Its code words, such as `model_not_found`. Its sentences stay behind: they can repeat what was sent, which is a
   * transcript, or the key.
   */
  words: string[]
  /** Whether its text speaks of something, for servers that have no code for it. */
  mentions(pattern: RegExp): boolean
}

const MAX_READ = 4_096
/** One identifier: a server that put a sentence or a key there is not repeated. */
const CODE_WORD = /^[a-z]{2,24}(?:_[a-z]{1,24}){1,5}$/
const word = z.string().regex(CODE_WORD).optional().catch(undefined)
const named = z.object({ code: word, type: word }).optional().catch(undefined)
/** OpenAI and vLLM nest it, llama.cpp too but with a number as code, Ollama has a sentence, FastAPI a `detail`. */
const errorBody = z.object({ error: named, detail: named, code: word, type: word })

export function readError(text: string): ErrorWords {
  const read = text.slice(0, MAX_READ)
  return { words: wordsOf(text), mentions: (pattern) => pattern.test(read) }
}

function wordsOf(text: string): string[] {
  const body = errorBody.safeParse(parseJson(text))
  if (!body.success) return []
  const { error, detail, code, type } = body.data
  const words = [error?.code, error?.type, detail?.code, detail?.type, code, type]
  return [...new Set(words.filter((one) => one !== undefined))]
}

/** Undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
