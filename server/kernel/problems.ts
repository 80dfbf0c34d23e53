import type { z } from 'zod'

interface ProblemKind {
  status: number
  title: string
  /** What it means and what to do, for the reference and as the default detail. */
  meaning: string
}

/** Every refusal that the API can answer. Codes are stable: programs are written against them. */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'Bad request', meaning: 'The request is not readable as HTTP.' },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The request carries no valid token of the identity store.',
  },
  capability_required: {
    status: 403,
    title: 'Capability required',
    meaning: 'Your role in this organisation or workspace does not allow this.',
  },
  tier_required: {
    status: 403,
    title: 'Tier required',
    meaning: 'The workspace is on a tier that does not include this.',
  },
  staff_required: { status: 403, title: 'Staff only', meaning: 'Only staff of the service may do this.' },
  csrf_rejected: {
    status: 403,
    title: 'Cross-site request rejected',
    meaning:
      'A request that changes something and is authenticated by the cookie must come from an allowed origin.',
  },
  participant_token_rejected: {
    status: 403,
    title: 'Participant token rejected',
    meaning: 'X-Participant-Token is missing, or is not the token that starting this conversation answered.',
  },
  closed: {
    status: 403,
    title: 'Closed',
    meaning: 'The project takes no new conversations. Those that run may finish.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing here, or nothing that you may know of.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method. The Allow header names those it has.',
  },
  conflict: { status: 409, title: 'Conflict', meaning: 'The request does not fit the present state.' },
  not_ready_yet: {
    status: 409,
    title: 'Not ready yet',
    meaning: 'This is still being made. Try again after the seconds in Retry-After.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning:
      'The last owner can be neither removed nor given another role. Make somebody else an owner first. Owners without an active account at the identity store do not count.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    meaning:
      'A limit of the tier or of the service is reached. `detail` names it with its number and says what to do.',
  },
  disabled_by_staff: {
    status: 409,
    title: 'Disabled by staff',
    meaning: 'Staff of the service disabled this webhook, and only they can enable it again.',
  },
  payload_erased: {
    status: 409,
    title: 'Payload erased',
    meaning: 'What this delivery carried was erased, so that it can’t be sent again.',
  },
  test_delivery: {
    status: 409,
    title: 'Test delivery',
    meaning: 'A test delivery cannot be resent, because it has no event. Send a new test instead.',
  },
  replay_finished: {
    status: 409,
    title: 'Replay finished',
    meaning: 'The replay has already finished, so it cannot be cancelled.',
  },
  gone: {
    status: 410,
    title: 'Gone',
    meaning: 'This does not exist and will not be made.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    meaning: 'The record is no longer the one that If-Match names. Read it again, then decide.',
  },
  too_large: { status: 413, title: 'Too large', meaning: 'The body is larger than this call takes.' },
  unsupported_media: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not of a type that this call takes: send application/json.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The range begins behind the end. Content-Range tells how long the file is.',
  },
  invalid_input: {
    status: 422,
    title: 'Invalid input',
    meaning: 'Some of the input is not valid; errors names each place.',
  },
  consent_required: {
    status: 422,
    title: 'Consent required',
    meaning: 'The project has a consent text: show it, and send `consent: true` when it was agreed to.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This Idempotency-Key was used for another request in the last 24 hours.',
  },
  rate_limited: { status: 429, title: 'Too many requests', meaning: 'Wait for the seconds in Retry-After.' },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The headers are larger than the service reads.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. The request id finds the cause in its log.',
  },
  identity_unavailable: {
    status: 503,
    title: 'Identity store unavailable',
    meaning: 'The identity store does not answer, so it is not known who is asking. Try again.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    meaning: 'The service is starting, stopping, or without its database. Nothing was changed. Try again.',
  },
  storage_full: {
    status: 507,
    title: 'Storage full',
    meaning: 'There is no room for these bytes. Nothing was stored; send them again later.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof PROBLEMS

export interface FieldError {
  path: string
  message: string
}

export interface ProblemExtras {
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  /** Members of the answer beside the usual ones. */
  members?: Record<string, unknown>
}

/** A refusal on its way to the caller. Throw it anywhere; the transaction rolls back and the answer is problem+json. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return PROBLEMS[this.code].status
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
  const { status, title, meaning } = PROBLEMS[problem.code]
  const { detail = meaning, errors, members } = problem.extras
  const type = `/api/problems#${problem.code}`
  return {
    type,
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

/** Names each place that is wrong; values are never repeated. */
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
