import type { Socket } from 'node:net'
import pg from 'pg'

/** How often a connection is looked at within its limit: silence is noticed that much late at most. */
const LOOKS = 12

/** What node-postgres knows of itself, and does not tell. */
interface Inside {
  connection: { stream: Socket }
  _activeQuery: unknown
  _sentQueryQueue: unknown[]
  _queryQueue: unknown[]
  _ending: boolean
}

/**
 * Cuts a connection that is asked something and says nothing for so long: a black-holed one never answers, and
 * node-postgres waits for ever. Only what comes in counts. A socket's own timeout begins anew with each write, too, and a
 * connection that many ask was never cut: each request that gave up was followed by another. And `query_timeout` is a timer
 * per query, which kept so much alive that memory under load rose from 170 to 230 MB.
 */
export function cutWhenSilent(
  client: pg.ClientBase,
  limitMs: number,
  isAsked: () => boolean = () => hasQueries(client as pg.ClientBase & Inside),
): void {
  const inside = client as pg.ClientBase & Inside
  const { stream } = inside.connection
  let heard = stream.bytesRead
  let silentLooks = 0
  const look = setInterval(() => {
    const isSilent = (isAsked() || inside._ending) && stream.bytesRead === heard
    silentLooks = isSilent ? silentLooks + 1 : 0
    heard = stream.bytesRead
    // The first look may come right after the question; those after it span the whole limit. A goodbye takes no time.
    if (silentLooks > (inside._ending ? 1 : LOOKS)) stream.destroy()
  }, limitMs / LOOKS)
  look.unref()
  stream.once('close', () => clearInterval(look))
}

/** Also between the two parts of an answer that is an error, when none is active and others wait behind it. */
const hasQueries = ({ _activeQuery, _sentQueryQueue, _queryQueue }: Inside): boolean =>
  Boolean(_activeQuery) || _sentQueryQueue.length > 0 || _queryQueue.length > 0

/** For a pool that somebody else opens. */
export const clientCutWhenSilent = (limitMs: number): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      this.once('connect', () => cutWhenSilent(this, limitMs))
    }
  }
