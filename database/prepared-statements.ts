import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

const MARKER = '/* prepared */'

/**
 * A statement that begins or ends with this marker is sent as a prepared statement: PostgreSQL parses and plans it once per
 * connection. The statements that store chunks became a quarter faster. The marker is part of the text, because Kysely passes no
 * statement name to node-postgres (docs/decisions/0012-database-client.md). Such a statement names its columns: with `*` it would
 * fail on open connections as soon as a migration adds one.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARKER)

/** Adds the marker to SQL text that was not built with Kysely. */
export const asPrepared = (text: string): string => `${MARKER} ${text}`

/** The statement with a name if it has the marker. The name is a digest of the text, so that no two texts share one. */
export const namedStatement = (text: unknown, values: unknown): pg.QueryConfig | null =>
  typeof text === 'string' && (text.startsWith(MARKER) || text.endsWith(MARKER)) && Array.isArray(values)
    ? { name: nameOf(text), text, values }
    : null

const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha1', text)
  names.set(text, name)
  return name
}
