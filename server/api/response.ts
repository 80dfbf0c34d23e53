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
  headers: { etag: etagOf(record, essence) },
  body: record,
})
/** Something that is no record of its own: a list, a count. */
export const found = (body: unknown): Answer => ({ status: 200, headers: {}, body })
export const created = (record: unknown, location: string, essence = record): Answer => ({
  status: 201,
  headers: { location, etag: etagOf(record, essence) },
  body: record,
})
export const accepted = (body: unknown): Answer => ({ status: 202, headers: {}, body })
export const noContent = (): Answer => ({ status: 204, headers: {} })

/**
 * Made from the record's content, so that no version column has to be kept in step. Where If-Match is about less than all of
 * the record (a webhook's health changes by itself), that part comes first and the whole follows after a dot: If-Match
 * compares the first, If-None-Match both.
 */
const etagOf = (record: unknown, essence: unknown): string =>
  record === essence ? `"${digestOf(record)}"` : `"${digestOf(essence)}.${digestOf(record)}"`

const digestOf = (value: unknown): string => contentDigest(JSON.stringify(value))

/** Of a body's bytes, as short as an ETag can be. */
export const contentDigest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22)

/** Refuses when `If-Match` names another state than the record's. Call it with the row locked. */
export function requireMatch(ifMatch: string | undefined, record: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/\.[\w-]+"$/, '"'))
  if (!tags.includes(etagOf(record, record))) throw new Problem('precondition_failed')
}
