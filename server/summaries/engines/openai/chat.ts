import { z } from 'zod'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import { type Accepted, describe, type Refused } from '../../../engines/openai/classify-response.ts'
import type { ModelServer } from '../../../engines/openai/client.ts'
import { parseJson } from '../../../engines/openai/read-error.ts'
import { findObject } from './find-json-object.ts'
import type { Task } from './tasks.ts'

export interface ChatOptions {
  server: ModelServer
  model: string
  /** The longest answer that is asked for. */
  answerTokens: number
  /** Sent only where it is set: some models refuse it. */
  temperature: number | null
}

export interface Question<Result> {
  task: Task<Result>
  system: string
  user: string
}

/** Asks one model for objects. */
export interface Chat {
  /** Rejects with an `EngineFailure`; with `TooLong` where less material could do. */
  ask<Result>(question: Question<Result>, signal: AbortSignal): Promise<Result>
}

/** The material does not fit into the model's window. */
export class TooLong extends EngineFailure {}

/** From what holds a model to its shape most, to what every server takes. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const
/** Older servers know the first, OpenAI's newer models want the second. */
const LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const
/** For one result: each format and name of the limit once, a longer answer, and one that is no nonsense. */
const MAX_QUESTIONS = 6
const PATH = '/chat/completions'
const TOO_LONG =
  /context.{0,20}(length|size|window|overflow)|too many tokens|(prompt|input) is too long|(token count|number of tokens).{0,40}exceed/i

/** What the server was found to take; and how much may be answered. */
interface Terms {
  format: number
  limitName: number
  answerTokens: number
}

export function createChat({ server, model, answerTokens, temperature }: ChatOptions): Chat {
  let terms: Terms = { format: 0, limitName: 0, answerTokens }

  async function ask<Result>(question: Question<Result>, signal: AbortSignal): Promise<Result> {
    let offered = terms
    let trouble = 'gave no answer that could be read'
    for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
      const reply = await server.post(PATH, requestOf(question, offered), signal)
      if (!reply.ok) {
        offered = nextOffer(offered, reply)
        continue
      }
      const message = readMessage(reply)
      const result = message.trouble === null ? read(message.content, question.task) : null
      if (result !== null) {
        terms = { ...offered, answerTokens }
        return result
      }
      trouble = message.trouble ?? trouble
      if (offered.answerTokens > answerTokens || asked > FORMATS.length) break
      // Twice the room for the second try, whatever went wrong: a model that thinks aloud needs it too.
      offered = { ...offered, answerTokens: 2 * answerTokens }
    }
    throw new EngineFailure('unavailable', `the model ${trouble}`)
  }

  const requestOf = ({ task, system, user }: Question<unknown>, offered: Terms): object => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    [LIMIT_NAMES[offered.limitName] ?? LIMIT_NAMES[0]]: offered.answerTokens,
    ...(temperature === null ? {} : { temperature }),
    ...responseFormat(FORMATS[offered.format] ?? 'text', task),
  })

  return { ask }
}

function responseFormat(format: (typeof FORMATS)[number], { name, schema }: Task<unknown>): object {
  if (format === 'text') return {}
  if (format === 'json_object') return { response_format: { type: format } }
  return { response_format: { type: format, json_schema: { name, strict: true, schema } } }
}

/** What to offer to a server that refused; throws where nothing is left to change. */
function nextOffer(offered: Terms, { status, words, mentions }: Refused): Terms {
  if (status === 413 || mentions(TOO_LONG)) throw new TooLong('unavailable', describe(status, words))
  const other = LIMIT_NAMES[offered.limitName + 1]
  if (other !== undefined && mentions(new RegExp(other)))
    return { ...offered, limitName: offered.limitName + 1 }
  if (offered.format + 1 < FORMATS.length) return { ...offered, format: offered.format + 1 }
  throw new EngineFailure('misconfigured', describe(status, words))
}

const answerShape = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish().catch(null),
        message: z.object({
          content: z.string().nullish().catch(null),
          refusal: z.string().nullish().catch(null),
        }),
      }),
    )
    .min(1),
})

function readMessage({ text }: Accepted): { content: string; trouble: string | null } {
  const choice = answerShape.safeParse(parseJson(text)).data?.choices[0]
  if (!choice) return { content: '', trouble: 'server’s answer is no chat completion' }
  const { finish_reason, message } = choice
  const content = message.content ?? ''
  if (message.refusal || finish_reason === 'content_filter') return { content, trouble: 'declined to answer' }
  if (finish_reason === 'length') return { content, trouble: 'did not come to an end' }
  return { content, trouble: content.trim() === '' ? 'answered nothing' : null }
}

const read = <Result>(content: string, { shape }: Task<Result>): Result | null =>
  shape.safeParse(findObject(content)).data ?? null
