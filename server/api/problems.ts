import type { z } from 'zod'

interface ProblemKind {
  status: number
  title: string
  /** What it means and what to do, for the reference and as the default detail. */
  meaning: string
}

/** Every error that the API returns. Codes are stable: programs are written against them. */
export const PROBLEMS = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The request has no valid access token or session. Sign in and try again.',
  },
  capability_required: {
    status: 403,
    title: 'Capability required',
    meaning: 'Your role in this organisation or workspace does not allow this.',
  },
  tier_required: {
    status: 403,
    title: 'Tier required',
    meaning: 'The tier of the workspace does not include this feature.',
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
    title: 'Participant token rejected',
    meaning:
      'X-Participant-Token is missing or wrong. Send the token that was returned when the conversation started.',
  },
  closed: {
    status: 403,
    title: 'Project closed',
    meaning: 'The project does not accept new conversations. Conversations in progress can be finished.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'Not found, or you do not have access to it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This path does not support the method. The Allow header lists the methods that it supports.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    meaning: 'This user already has a role here. Change the role instead.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning:
      'The last owner cannot be removed or given another role. Make another member an owner first. Owners without an active account at the identity store do not count.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    meaning:
      'A limit of the tier or of the service is reached. `detail` names it with its number and says what to do.',
  },
  chunk_conflict: {
    status: 409,
    title: 'Sequence number in use',
    meaning: 'A different chunk was already uploaded with this sequence number.',
  },
  chunks_missing: {
    status: 409,
    title: 'Chunks missing',
    meaning:
      'Some chunks have not arrived. `missing` lists their sequence numbers: upload them and try again.',
  },
  conversation_in_progress: {
    status: 409,
    title: 'Conversation in progress',
    meaning:
      'The conversation is still being recorded or processed. Wait until its status is `done` or `failed`.',
  },
  not_ready_yet: {
    status: 409,
    title: 'Not ready yet',
    meaning: 'The audio file is still being prepared. Try again after the seconds in Retry-After.',
  },
  report_not_ready: {
    status: 409,
    title: 'Report not ready',
    meaning: 'The report has no document yet. Wait until its status is `ready`.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    meaning: 'The webhook is disabled. Enable it and try again.',
  },
  disabled_by_staff: {
    status: 409,
    title: 'Disabled by staff',
    meaning: 'Staff of the service disabled this webhook. Only staff can enable it again.',
  },
  secret_unreadable: {
    status: 409,
    title: 'Secret unreadable',
    meaning: 'The secret of this webhook cannot be decrypted any more. Set a new secret and try again.',
  },
  payload_erased: {
    status: 409,
    title: 'Payload erased',
    meaning: 'The content of this delivery was erased, so it cannot be sent again.',
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
    title: 'Record changed',
    meaning: 'The record has changed since the state that If-Match names. Read it again and retry.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    meaning: 'The body is larger than this route accepts.',
  },
  unsupported_media: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'This route does not accept a body of this Content-Type. Send application/json.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The range starts after the end of the file. Content-Range gives its size.',
  },
  invalid_input: {
    status: 422,
    title: 'Invalid input',
    meaning: 'Some of the input is not valid. `errors` lists each field.',
  },
  consent_required: {
    status: 422,
    title: 'Consent required',
    meaning: 'The project has a consent text. Show it, and send `consent: true` when the participant agrees.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This Idempotency-Key was used for a different request in the last 24 hours.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'Too many requests. Try again after the seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request headers are too large.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. Report the request id: it identifies the error in the log.',
  },
  identity_unavailable: {
    status: 503,
    title: 'Identity store unavailable',
    meaning: 'The identity store is not available, so your identity cannot be checked. Try again.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    meaning: 'The service is starting, stopping, or has no database. Nothing was changed. Try again.',
  },
  storage_full: {
    status: 507,
    title: 'Storage full',
    meaning: 'The storage is full. Nothing was stored. Try again later.',
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
