import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Cuts a connection that is in use and says nothing for so long: a black-holed one never answers, and node-postgres waits
 * for ever. Its own `query_timeout` is a timer per query, which kept so much alive that memory under load rose from 170 to
 * 230 MB; a socket's timeout costs nothing.
 */
export function cutWhenSilent(client: pg.ClientBase, limitMs: number, isInUse: () => boolean): void {
  const { stream } = (client as pg.ClientBase & { connection: { stream: Socket } }).connection
  stream.setTimeout(limitMs)
  stream.on('timeout', () => {
    if (isInUse()) stream.destroy()
  })
}
