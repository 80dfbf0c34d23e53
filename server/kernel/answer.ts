import { hash } from 'node:crypto'
import { Problem } from './problems.ts'

/** What a verb answers, as a value: it can be sent, or kept for an Idempotency-Key. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body?: unknown
}

/** A record, with the ETag that a later If-Match can name; `essence` is what the tag stands for, where that is less. */
export const ok = (record: unknown, essence = record): Answer => ({
  status: 200,
  headers: { etag: etagOf(essence) },
  body: record,
})
/** Something that is no record of its own: a list, a count. */
export const found = (body: unknown): Answer => ({ status: 200, headers: {}, body })
export const created = (record: unknown, location: string, essence = record): Answer => ({
  status: 201,
  headers: { location, etag: etagOf(essence) },
  body: record,
})
export const accepted = (body: unknown): Answer => ({ status: 202, headers: {}, body })
export const noContent = (): Answer => ({ status: 204, headers: {} })

/** Made from the record's content, so that no version column has to be kept in step. */
const etagOf = (record: unknown): string =>
  `"${hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22)}"`

/** Refuses when `If-Match` names another state than the record's. Call it with the row locked. */
export function requireMatch(ifMatch: string | undefined, record: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(record))) throw new Problem('precondition_failed')
}
