import { z } from 'zod'

/** The parts of an error response that are safe to log. */
export interface ErrorDetails {
  /** Error codes, such as `model_not_found`. Messages are left out, because they can repeat the transcript or the key. */
  codes: string[]
  /** Whether its text matches, for servers without error codes. */
  mentions(pattern: RegExp): boolean
}

const MAX_READ = 4_096
/** One identifier, so that a sentence or a key in its place is not logged. */
const CODE = /^[a-z]{2,24}(?:_[a-z]{1,24}){1,5}$/
const code = z.string().regex(CODE).optional().catch(undefined)
const named = z.object({ code, type: code }).optional().catch(undefined)
/** OpenAI and vLLM nest it, llama.cpp uses a number as code, Ollama sends a sentence, FastAPI a `detail`. */
const errorBody = z.object({ error: named, detail: named, code, type: code })

export function readError(text: string): ErrorDetails {
  const read = text.slice(0, MAX_READ)
  return { codes: codesOf(text), mentions: (pattern) => pattern.test(read) }
}

function codesOf(text: string): string[] {
  const body = errorBody.safeParse(parseJson(text))
  if (!body.success) return []
  const { error, detail, code, type } = body.data
  const codes = [error?.code, error?.type, detail?.code, detail?.type, code, type]
  return [...new Set(codes.filter((one) => one !== undefined))]
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
