import { hash } from 'node:crypto'
import { Problem } from './problems.ts'

/** A response as a value: it can be sent, or stored for an Idempotency-Key. */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body?: unknown
}

/** A record with its ETag. */
export const ok = (record: unknown): HttpResponse => ({
  status: 200,
  headers: { etag: etagOf(record, record) },
  body: record,
})
/** `fields` is the part of the record that If-Match compares. */
export const created = (record: unknown, location: string, fields: unknown): HttpResponse => ({
  status: 201,
  headers: { location, etag: etagOf(record, fields) },
  body: record,
})
export const accepted = (body: unknown): HttpResponse => ({ status: 202, headers: {}, body })

/**
 * A digest of the record, instead of a version column that every change would have to increase. Where If-Match compares only some fields (the health
 * of a webhook changes without a request), their digest comes first and that of the whole record follows after a dot: If-Match
 * compares the first, If-None-Match both.
 */
export const etagOf = (record: unknown, fields: unknown): string =>
  record === fields ? `"${digestOf(record)}"` : `"${digestOf(fields)}.${digestOf(record)}"`

const digestOf = (value: unknown): string => contentDigest(JSON.stringify(value))

/** 22 characters are 132 bits. */
export const contentDigest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22)

/** Throws `precondition_failed` when `If-Match` names another state of the record. The caller has locked the row. */
export function requireMatch(ifMatch: string | undefined, fields: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/\.[\w-]+"$/, '"'))
  if (!tags.includes(etagOf(fields, fields))) throw new Problem('precondition_failed')
}
