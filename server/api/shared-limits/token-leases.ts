import { setTimeout as pause } from 'node:timers/promises'
import type { PipelinedQueries } from '../../../database/pipelined-queries.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { ApiProcesses } from './api-processes.ts'

/** The request of one process to one shared bucket. */
interface LeaseRequest {
  key: string
  /** The size of the bucket, which is also its refill per minute. */
  size: number
  /** Tokens that it spent without asking. */
  debt: number
  /** Tokens that it asks for. It can get fewer. */
  want: number
}

export interface Leased {
  leased: number
  /** The rest in the bucket. */
  tokens: number
}

/** One that asks. */
export interface Lessee {
  request(): LeaseRequest
  receive(leased: Leased): void
  /** The database is away. */
  fail(): void
}

export interface TokenLeases {
  processes: Pick<ApiProcesses, 'count'>
  /** `isUrgent`: a request waits for it. Otherwise it is sent with those of the next 100 ms. */
  ask(lessee: Lessee, isUrgent: boolean): void
}

const BACKGROUND_MS = 100
/** A request waits no longer for a database that does not respond; then the limit of its process decides. */
const TIMEOUT_MS = 1_000

const LEASE = {
  name: 'lease-tokens',
  text: 'select key, leased, tokens from lease_tokens($1::uuid[], $2::float8[], $3::float8[], $4::float8[])',
}

/** One statement at a time for all limits of the process: those that ask in the meantime share the next one. */
export function createTokenLeases(parts: {
  processes: ApiProcesses
  queries: PipelinedQueries
  metrics: Metrics
  /** Overrides the second that a statement gets; for tests. */
  timeoutMs?: number
}): TokenLeases {
  const { processes, queries, timeoutMs = TIMEOUT_MS } = parts
  const help = 'Requests for tokens of shared rate limits, by outcome'
  const countLeases = parts.metrics.counter('parley_rate_limit_leases_total', help, ['outcome'])
  let asking = new Map<Lessee, boolean>()
  let isSending = false
  let timer: NodeJS.Timeout | undefined

  async function lease(requests: LeaseRequest[]): Promise<(Leased & { key: string })[]> {
    const values = [
      requests.map(({ key }) => key),
      requests.map(({ size }) => size),
      requests.map(({ debt }) => debt),
      requests.map(({ want }) => want),
    ]
    const timeout = new AbortController()
    const tooLate = pause(timeoutMs, undefined, { ref: false, signal: timeout.signal }).then(() => {
      throw new Error('Timeout')
    })
    const querying = queries.query<Leased & { key: string }>({ ...LEASE, values })
    try {
      return (await Promise.race([querying, tooLate])).rows
    } finally {
      timeout.abort()
      tooLate.catch(() => {})
      querying.catch(() => {})
    }
  }

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    isSending = true
    const batch = new Map([...asking.keys()].map((lessee) => [lessee.request(), lessee]))
    asking = new Map()
    try {
      const rows = await lease([...batch.keys()])
      const byKey = new Map(rows.map((row) => [row.key.replaceAll('-', ''), row]))
      countLeases(['ok'])
      for (const [{ key }, lessee] of batch) lessee.receive(byKey.get(key) as Leased)
    } catch {
      countLeases(['failed'])
      processes.markAway()
      for (const lessee of batch.values()) lessee.fail()
    }
    isSending = false
    if ([...asking.values()].includes(true)) void send()
    else if (asking.size > 0) schedule()
  }

  function schedule(): void {
    timer ??= setTimeout(() => void send(), BACKGROUND_MS).unref()
  }

  return {
    processes,
    ask(lessee, isUrgent) {
      asking.set(lessee, isUrgent || (asking.get(lessee) ?? false))
      if (isSending) return
      if (isUrgent) void send()
      else schedule()
    },
  }
}
