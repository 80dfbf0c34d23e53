import type { Socket } from 'node:net'
import type pg from 'pg'

/** How often a connection is looked at within its limit: silence is noticed that much late at most. */
const LOOKS = 12

/**
 * Cuts a connection that is in use and says nothing for so long: a black-holed one never answers, and node-postgres waits
 * for ever. Only what comes in counts. A socket's own timeout begins anew with each write, too, and a connection that many
 * ask was never cut: each request that gave up was followed by another. And `query_timeout` is a timer per query, which
 * kept so much alive that memory under load rose from 170 to 230 MB.
 */
export function cutWhenSilent(client: pg.ClientBase, limitMs: number, isInUse: () => boolean): void {
  const { stream } = (client as pg.ClientBase & { connection: { stream: Socket } }).connection
  let heard = stream.bytesRead
  let silentLooks = 0
  const look = setInterval(() => {
    const isSilent = isInUse() && stream.bytesRead === heard
    silentLooks = isSilent ? silentLooks + 1 : 0
    heard = stream.bytesRead
    // The first may come right after the question; those after it span the whole limit.
    if (silentLooks > LOOKS) stream.destroy()
  }, limitMs / LOOKS)
  look.unref()
  stream.once('close', () => clearInterval(look))
}
