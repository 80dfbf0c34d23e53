import type { components } from './openapi.d.ts'

type ProblemBody = components['schemas']['Problem']

/** An error response of the API. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** Invalid fields, each with its error message. */
  readonly fields: readonly { path: string; message: string }[]

  constructor(response: Response, body: Partial<ProblemBody> | undefined) {
    super(body?.detail ?? response.statusText)
    this.status = response.status
    this.code = body?.code ?? 'unknown'
    this.requestId = body?.request_id ?? response.headers.get('x-request-id')
    this.fields = body?.errors ?? []
  }
}

/** The server did not respond. */
export class Unreachable extends Error {}

export const isProblem = (error: unknown, code: string): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code
