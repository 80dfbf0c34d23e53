import type { z } from 'zod'
import { invalidPayload } from './errors.ts'

/** A query string as fastify parses it: `filter[id][_eq]` is a plain name, repeated parameters are an array. */
export interface Query {
  [name: string]: unknown
  fields?: unknown
  access_token?: unknown
}

/** Validates a body. The error names the field and the rule, never the value. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw invalidPayload(
    issue ? [issue.path.join('.'), issue.message].filter(Boolean).join(': ') : 'It is malformed',
  )
}
