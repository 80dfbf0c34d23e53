import { z } from 'zod'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import { type Accepted, describe, type Rejected } from '../../../engines/openai/classify-response.ts'
import type { ModelServer } from '../../../engines/openai/client.ts'
import { parseJson } from '../../../engines/openai/read-error.ts'
import type { Fallback } from '../../summarizer.ts'
import type { Task } from './tasks.ts'

export interface ChatOptions {
  server: ModelServer
  model: string
  /** The maximum length of a response. */
  maxTokens: number
  /** Sent only if it is set, because some models reject it. */
  temperature: number | null
}

export interface Prompt<Result> {
  task: Task<Result>
  system: string
  user: string
}

export type Chat = ReturnType<typeof createChat>

/** The prompt does not fit into the model's context window. */
export class ContextTooLong extends EngineFailure {}

/** The model responds, but not with a result. Another attempt would most likely end in the same way. */
export class NoResult extends EngineFailure {
  readonly reason: Fallback

  constructor(reason: Fallback, message: string) {
    super('unavailable', message)
    this.reason = reason
  }
}

/** From the strictest response format to the one that every server supports. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const
/** Older servers know the first name, OpenAI's newer models need the second. */
const LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const
/** For one result: each format and limit name once, one longer response, and one retry of an unusable response. */
const MAX_REQUESTS = 6
const PATH = '/chat/completions'
const TOO_LONG =
  /context.{0,20}(length|size|window|overflow)|too many tokens|(prompt|input) is too long|(token count|number of tokens).{0,40}exceed/i

/** Indexes of FORMATS and LIMIT_NAMES, and the length of the response. */
interface RequestFormat {
  format: number
  limitName: number
  maxTokens: number
}

/** Asks one model for JSON objects. */
export function createChat({ server, model, maxTokens, temperature }: ChatOptions) {
  /** The format that the server last accepted. */
  let accepted: RequestFormat = { format: 0, limitName: 0, maxTokens }

  /** Rejects with an `EngineFailure`: `ContextTooLong` if a shorter prompt can succeed, `NoResult` if a retry is useless. */
  async function ask<Result>(prompt: Prompt<Result>, signal: AbortSignal): Promise<Result> {
    let format = accepted
    let problem: Problem = { reason: 'unusable', message: 'gave no readable response' }
    for (let sent = 0; sent < MAX_REQUESTS; sent++) {
      const reply = await server.post(PATH, requestOf(prompt, format), signal)
      if (!reply.ok) {
        format = nextFormat(format, reply)
        continue
      }
      const message = readMessage(reply)
      const result = message.problem === null ? read(message.content, prompt.task) : null
      if (result !== null) {
        accepted = { ...format, maxTokens }
        return result
      }
      problem = message.problem ?? problem
      if (format.maxTokens > maxTokens || sent > FORMATS.length) break
      // Twice the tokens for the second attempt, whatever went wrong: models with visible reasoning need them.
      format = { ...format, maxTokens: 2 * maxTokens }
    }
    throw new NoResult(problem.reason, `the model ${problem.message}`)
  }

  const requestOf = ({ task, system, user }: Prompt<unknown>, format: RequestFormat): object => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    [LIMIT_NAMES[format.limitName] ?? LIMIT_NAMES[0]]: format.maxTokens,
    ...(temperature === null ? {} : { temperature }),
    ...responseFormat(FORMATS[format.format] ?? 'text', task),
  })

  return { ask }
}

/** Failed prompts in a row, of one job. Each takes two requests or more. */
const MAX_FAILED_PROMPTS = 3

/** For one job: after some prompts without a result it sends no more, however many conversations a report is about. */
export function stopAfterFailures({ ask }: Chat): Chat {
  const failures: NoResult[] = []
  return {
    async ask(prompt, signal) {
      const last = failures.at(-1)
      if (last && failures.length >= MAX_FAILED_PROMPTS) throw last
      try {
        const result = await ask(prompt, signal)
        failures.length = 0
        return result
      } catch (error) {
        if (error instanceof NoResult) failures.push(error)
        throw error
      }
    },
  }
}

function responseFormat(format: (typeof FORMATS)[number], { name, schema }: Task<unknown>): object {
  if (format === 'text') return {}
  if (format === 'json_object') return { response_format: { type: format } }
  return { response_format: { type: format, json_schema: { name, strict: true, schema } } }
}

/** The format to try after a rejected request. Throws if none is left. */
function nextFormat(current: RequestFormat, { status, codes, mentions }: Rejected): RequestFormat {
  if (status === 413 || mentions(TOO_LONG)) throw new ContextTooLong('unavailable', describe(status, codes))
  const other = LIMIT_NAMES[current.limitName + 1]
  if (other !== undefined && mentions(new RegExp(other)))
    return { ...current, limitName: current.limitName + 1 }
  if (current.format + 1 < FORMATS.length) return { ...current, format: current.format + 1 }
  throw new EngineFailure('misconfigured', describe(status, codes))
}

const responseShape = z.object({
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

interface Problem {
  reason: Fallback
  message: string
}

const unusable = (message: string): Problem => ({ reason: 'unusable', message })

function readMessage({ text }: Accepted): { content: string; problem: Problem | null } {
  const choice = responseShape.safeParse(parseJson(text)).data?.choices[0]
  if (!choice) return { content: '', problem: unusable('server’s response is not a chat completion') }
  const { finish_reason, message } = choice
  const content = message.content ?? ''
  if (message.refusal || finish_reason === 'content_filter')
    return { content, problem: unusable('declined to respond') }
  if (finish_reason === 'length')
    return { content, problem: { reason: 'token_limit', message: 'reached the token limit' } }
  return { content, problem: content.trim() === '' ? unusable('gave an empty response') : null }
}

const read = <Result>(content: string, { shape }: Task<Result>): Result | null =>
  shape.safeParse(findObject(content)).data ?? null

/** The JSON object in a model's text: alone, in a code fence, or within other text; undefined if there is none. */
function findObject(content: string): object | undefined {
  const text = withoutReasoning(content)
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1]
  const within = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, fenced ?? '', within]) {
    const found = parseJson(candidate)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  }
  return undefined
}

/** Some servers leave a model's reasoning in, some of them without its opening tag. */
const withoutReasoning = (text: string): string =>
  text.replace(/<think>[\s\S]*?<\/think>/g, '').replace(/^[\s\S]*<\/think>/, '')
