import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** What becomes of bytes between a client and its server. */
type LinkState = 'pass' | 'refuse' | 'black hole'

/** A network cable with a hand on it. */
export interface TcpProxy {
  port: number
  /**
   * `refuse` resets whoever connects. `black hole` takes connections and answers nothing; those that exist go silent for
   * good, as behind a firewall that forgot them: neither end hears that the other one closed until the link passes again.
   */
  set(state: LinkState): void
  /** Each way, for what comes from now on. */
  delay(milliseconds: number): void
  /** How many pieces it has taken and not passed on yet. */
  underWay(): number
  /**
   * Waits for a statement with this text or name in it, lets the server do it, and resets the connection in place of the
   * answer: done, but whoever asked does not know. Resolves when it happened; a later call takes the place of this one.
   */
  loseAnswerTo(statement: string): Promise<void>
  /** Resets every connection; answers with how many there were. */
  cut(): number
  stop(): Promise<void>
}

interface Pair {
  client: Socket
  server: Socket | null
  /** True once a black hole swallowed some of its bytes: it can't go on after that. */
  silent: boolean
  /** The next thing that its server says is lost, and the connection with it. */
  doomed: (() => void) | null
  /** Pieces of both ways that wait out their delay. */
  underWay: number
}

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let state: LinkState = 'pass'
  let delayMs = 0
  let trap: { statement: string; spring: () => void } | null = null

  // By itself Node would answer the goodbye of a client whom nobody hears.
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {})
    if (state === 'refuse') return void client.resetAndDestroy()
    client.setNoDelay(true)
    const pair: Pair = { client, server: null, silent: state === 'black hole', doomed: null, underWay: 0 }
    pairs.add(pair)
    client.on('close', () => hangUp(pair))
    if (pair.silent) return void client.resume()
    const server = createConnection(target)
    pair.server = server
    server.setNoDelay(true)
    server.on('error', () => {})
    server.on('close', () => hangUp(pair))
    client.on('data', (piece: Buffer) => {
      if (trap === null || !piece.includes(trap.statement)) return
      pair.doomed = trap.spring
      trap = null
    })
    server.on('data', () => {
      if (pair.doomed === null) return
      reset(pair)
      pair.doomed()
      pair.doomed = null
    })
    carry(pair, client, server, () => delayMs)
    carry(pair, server, client, () => delayMs)
  })

  function hangUp(pair: Pair): void {
    const over = pair.client.closed && (pair.server === null || pair.server.closed)
    if (over) pairs.delete(pair)
    // Nobody hears of it through a black hole.
    if (over || (pair.silent && state === 'black hole')) return
    reset(pair)
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  return {
    port: (listener.address() as AddressInfo).port,
    set: (next) => {
      state = next
      for (const pair of pairs) {
        if (state === 'black hole') pair.silent = true
        else if (pair.client.closed || pair.server?.closed) reset(pair)
      }
    },
    delay: (milliseconds) => {
      delayMs = milliseconds
    },
    underWay: () => pairs.values().reduce((sum, pair) => sum + pair.underWay, 0),
    loseAnswerTo: (statement) =>
      new Promise((resolve) => {
        trap = { statement, spring: resolve }
      }),
    cut: () => {
      const count = pairs.size
      for (const pair of pairs) reset(pair)
      return count
    },
    stop: async () => {
      listener.close()
      for (const pair of pairs) reset(pair)
      await once(listener, 'close')
    },
  }
}

function reset({ client, server }: Pair): void {
  for (const end of [client, server]) if (end && !end.destroyed) end.resetAndDestroy()
}

/** One direction. A piece never overtakes an earlier one, also when the delay was shortened in between. */
function carry(pair: Pair, from: Socket, to: Socket, delayMs: () => number): void {
  // Null: the sender has said that nothing more will come.
  const underWay: { piece: Buffer | null; due: number }[] = []
  const pass = (piece: Buffer | null): void => {
    if (pair.silent || to.destroyed) return
    if (piece === null) return void to.end()
    if (to.write(piece)) return
    from.pause()
    to.once('drain', () => from.resume())
  }
  const deliver = (): void => {
    for (let first = underWay[0]; first; first = underWay[0]) {
      const wait = first.due - performance.now()
      if (wait > 0) return void setTimeout(deliver, Math.ceil(wait))
      underWay.shift()
      pair.underWay--
      pass(first.piece)
    }
  }
  const take = (piece: Buffer | null): void => {
    pair.underWay++
    underWay.push({ piece, due: performance.now() + delayMs() })
    if (underWay.length === 1) deliver()
  }
  from.on('data', take)
  from.on('end', () => take(null))
}
