import type { TestBackend } from '../backend.ts'

/** Counts the statements that match, from now on, of all connections of the backend's pool. */
export function countStatements({ database: { pool } }: TestBackend, pattern: RegExp): () => number {
  let count = 0
  const counting = new WeakSet<object>()
  const connect = pool.connect.bind(pool)
  // Kysely asks for a promise; `pool.query` passes a callback, and is the tests' own.
  pool.connect = (async (...callback: []) => {
    if (callback.length > 0) return connect(...callback)
    const client = await connect()
    if (counting.has(client)) return client
    counting.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const [first] = args
      const text = typeof first === 'string' ? first : (first as { text: string }).text
      if (pattern.test(text)) count += 1
      return query(...args)
    }) as typeof client.query
    return client
  }) as typeof pool.connect
  return () => count
}
