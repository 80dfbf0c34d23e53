import createClient from 'openapi-fetch'
import { connectionLost } from './connection.ts'
import type { components, paths } from './openapi.d.ts'
import { ApiProblem, Unreachable } from './problem.ts'

/** The public API, typed by its OpenAPI document. The session cookie is sent by the browser; scripts cannot read it. */
export const api = createClient<paths>({
  fetch: (request) =>
    fetch(request).catch((cause: unknown) => {
      if (request.signal.aborted) throw cause
      connectionLost()
      throw new Unreachable('', { cause })
    }),
})

export type Schemas = components['schemas']

interface ApiResponse<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Returns the data of a response; rejects with an `ApiProblem` if its status is an error. */
export async function dataOf<T>(pending: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await pending
  if (!response.ok) throw new ApiProblem(response, error as Schemas['Problem'] | undefined)
  return data as T
}

/** A record with its version, which `If-Match` names when it is changed: a change by someone else is then not overwritten. */
export interface Versioned<T> {
  record: T
  etag: string | null
}

export async function versionOf<T>(pending: Promise<ApiResponse<T>>): Promise<Versioned<T>> {
  const result = await pending
  const record = await dataOf(Promise.resolve(result))
  return { record, etag: result.response.headers.get('etag') }
}
