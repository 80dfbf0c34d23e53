import type { z } from 'zod'
import type { HeaderName } from './openapi/headers.ts'

/** A kind of error. Its code is stable, because clients depend on it. */
export interface ProblemKind {
  status: number
  title: string
  /** The meaning and what to do about it, for the reference and as the default `detail`. */
  meaning: string
  /** Headers that come with it. */
  headers?: HeaderName[]
  /** The schema and an example of further members of the body. */
  schema?: z.ZodType
  example?: Record<string, unknown>
}

/** By default the title is the code in words. */
type ProblemDeclaration = Omit<ProblemKind, 'title'> & { title?: string }

/** Errors that can occur in more than one area. */
const GENERAL_PROBLEMS = {
  bad_request: { status: 400, meaning: 'The request is malformed. `detail` says what is wrong.' },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The request has no valid access token or session. Sign in and try again.',
    headers: ['WWW-Authenticate'],
  },
  capability_required: {
    status: 403,
    meaning:
      'Your role in this organisation or workspace does not allow this. Ask an owner or admin for another role.',
  },
  tier_required: {
    status: 403,
    meaning:
      'The tier of the workspace does not include this feature. Ask staff of the service to change the tier.',
  },
  staff_required: {
    status: 403,
    title: 'Staff only',
    meaning: 'Only staff of the service are allowed to do this.',
  },
  csrf_rejected: {
    status: 403,
    title: 'Cross-site request rejected',
    meaning: 'A request that uses the session cookie to change something must come from an allowed origin.',
  },
  participant_token_rejected: {
    status: 403,
    meaning:
      'X-Participant-Token is missing or wrong. Send the token that was returned when the conversation started.',
  },
  not_found: { status: 404, meaning: 'Not found, or you do not have access to it.' },
  method_not_allowed: {
    status: 405,
    meaning: 'This path does not support the method. The Allow header lists the methods that it supports.',
  },
  limit_reached: {
    status: 409,
    meaning:
      'A limit of the tier or of the service has been reached. `detail` names the limit and says what to do.',
  },
  gone: {
    status: 410,
    meaning: 'The file does not exist. `detail` says why, and what to do if it can be created.',
  },
  precondition_failed: {
    status: 412,
    title: 'Record changed',
    meaning:
      'The record has changed since you read it: its ETag is not the one in If-Match. Read it again and retry.',
  },
  too_large: { status: 413, meaning: 'The body is larger than this route accepts.' },
  unsupported_media: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'This route does not accept a body of this format. `detail` lists the accepted formats.',
  },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The range starts after the end of the file. Content-Range contains the size of the file.',
    headers: ['Content-Range', 'Accept-Ranges'],
  },
  invalid_input: { status: 422, meaning: 'The input is not valid. `errors` lists each invalid field.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This Idempotency-Key was used for a different request in the last 24 hours. Send a new key.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'Too many requests. Wait for the number of seconds in Retry-After, then try again.',
    headers: ['Retry-After'],
  },
  headers_too_large: {
    status: 431,
    meaning: 'The request headers are too large. Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    meaning: 'An unexpected error occurred. Report the request id: it identifies the error in the log.',
  },
  identity_unavailable: {
    status: 503,
    title: 'Identity store unavailable',
    meaning: 'The identity store is unavailable, so your token cannot be checked. Try again.',
    headers: ['Retry-After'],
  },
  not_ready: {
    status: 503,
    meaning:
      'The service is starting or stopping, or cannot reach its database. Nothing was changed. Try again.',
    headers: ['Retry-After'],
  },
  storage_unavailable: {
    status: 503,
    title: 'File store unavailable',
    meaning: 'The file store is unavailable or overloaded. Nothing was stored. Try again.',
    headers: ['Retry-After'],
  },
  storage_full: {
    status: 507,
    meaning: 'The storage is full. Nothing was stored. Try again later.',
    headers: ['Retry-After'],
  },
} satisfies Record<string, ProblemDeclaration>

/** Codes of the areas. Each area adds its own by declaration merging, in the file that calls `defineProblems`. @public */
// biome-ignore lint/suspicious/noEmptyInterface: areas extend it.
export interface AreaProblems {}

export type ProblemCode = keyof typeof GENERAL_PROBLEMS | keyof AreaProblems

const titleOf = (code: string): string => (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ')

const kinds = new Map<string, ProblemKind>()
defineProblems(GENERAL_PROBLEMS)

/** Adds the errors of an area to the reference. */
export function defineProblems<P extends Record<string, ProblemDeclaration>>(problems: P): P {
  for (const [code, kind] of Object.entries(problems)) kinds.set(code, { title: titleOf(code), ...kind })
  return problems
}

export function problemKind(code: ProblemCode): ProblemKind {
  const kind = kinds.get(code)
  if (!kind) throw new Error(`The problem code ${code} is not defined`)
  return kind
}

/** Every error that the API returns, by status. */
export const allProblems = (): [code: ProblemCode, kind: ProblemKind][] =>
  ([...kinds] as [ProblemCode, ProblemKind][]).sort(([, one], [, other]) => one.status - other.status)

export interface FieldError {
  path: string
  message: string
}

export interface ProblemExtras {
  detail?: string
  errors?: FieldError[]
  /** When the same request can succeed; sent as Retry-After. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
  /** Further members of the response body. */
  members?: Record<string, unknown>
}

/** An error response. Throw it anywhere: the transaction rolls back and the response is problem+json. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.status = problemKind(code).status
    this.extras = extras
  }
}

export interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  request_id: string
  errors?: FieldError[]
}

export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { status, title, meaning } = problemKind(problem.code)
  const { detail = meaning, errors, members } = problem.extras
  return {
    type: `/api/problems#${problem.code}`,
    title,
    status,
    detail,
    code: problem.code,
    request_id: requestId,
    ...(errors ? { errors } : {}),
    ...members,
  }
}

export const invalidInput = (...errors: FieldError[]): Problem => new Problem('invalid_input', { errors })

/** Names each invalid field. The response never repeats values, which can be secrets. */
export function fromZodError(error: z.core.$ZodError): Problem {
  return invalidInput(...error.issues.flatMap(fieldErrors).slice(0, 50))
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({
    path: [path, key.slice(0, 100)].filter(Boolean).join('.'),
    message: 'is not a known field',
  }))
}
