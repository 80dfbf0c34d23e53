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

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The data of an answer; rejects with an `ApiProblem` if it is none. */
export async function dataOf<T>(pending: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await pending
  if (!response.ok) throw new ApiProblem(response, error as Schemas['Problem'] | undefined)
  return data as T
}

/** A record with its version, which `If-Match` names when it is changed: a change by someone else is then not overwritten. */
export interface Versioned<T> {
  record: T
  etag: string | null
}

export async function versionOf<T>(pending: Promise<Answer<T>>): Promise<Versioned<T>> {
  const answer = await pending
  const record = await dataOf(Promise.resolve(answer))
  return { record, etag: answer.response.headers.get('etag') }
}
