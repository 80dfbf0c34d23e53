import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import {
  createRateLimit,
  type RateLimit,
  type RateLimitOptions,
} from '../../../platform/limits/rate-limit.ts'
import { sharedKey } from './shared-key.ts'
import type { Leased, Lessee, TokenLeases } from './token-leases.ts'

/**
 * Up to this share of the limit can be spent before it is reported (the limit can be exceeded by it), and up to this share can be
 * leased but unspent. Both are shares of all processes together.
 */
const SLACK = 1 / 20
/** After this time without a request a bucket is full again. */
const IDLE_MS = 60_000

/**
 * A token bucket per key that all API processes share. A process leases some tokens at a time, and spends them without asking the database.
 * A process alone, and one without its database, uses its own bucket.
 */
export function createSharedRateLimit(
  name: string,
  options: RateLimitOptions,
  leases: TokenLeases,
): Required<RateLimit> {
  const { perMinute, clock } = options
  const local = createRateLimit(options)
  const accounts = createBoundedCache<string, Account>({
    max: options.maxKeys ?? 20_000,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
  })
  const perMs = perMinute / 60_000
  const slack = () => (perMinute * SLACK) / leases.processes.count()
  const isAlone = () => leases.processes.count() === 1

  /** The tokens of one key that this process has. */
  class Account implements Lessee {
    readonly key: string
    private leased = 0
    /** Spent and not reported yet, first what this process spent before it had an account. */
    private debt: number
    private reported = 0
    /** The rest in the shared bucket when it was last seen. */
    private rest = perMinute
    private restAt = clock.now()
    private waiting: { tokens: number; resolve(wait: number): void }[] = []

    constructor(key: string) {
      this.key = key
      this.debt = perMinute - local.tokens(key)
    }

    take(tokens: number): number | Promise<number> {
      if (this.waiting.length === 0 && this.spend(tokens)) {
        if (this.leased < slack() / 2 && this.debt > slack() / 2) leases.ask(this, false)
        return 0
      }
      if (this.available() < tokens) {
        // Spent while this process was alone: the others cannot know it, and no allowed request would report it soon.
        if (this.debt > slack()) leases.ask(this, false)
        return this.secondsUntil(tokens)
      }
      return new Promise((resolve) => {
        this.waiting.push({ tokens, resolve })
        leases.ask(this, true)
      })
    }

    takeAlone(tokens: number): number {
      const wait = local.take(this.key, tokens)
      // Tokens that have been refilled since are not reported.
      if (wait === 0) this.debt = Math.min(this.debt + tokens, perMinute - local.tokens(this.key))
      return wait
    }

    /** Leased tokens, and what the shared bucket can have: others may have spent some of it. */
    available(): number {
      const refilled = Math.max(0, clock.now() - this.restAt) * perMs
      return Math.min(perMinute, this.rest + refilled) - this.debt + this.leased
    }

    request() {
      const waiting = this.waiting.reduce((sum, { tokens }) => sum + tokens, 0)
      this.reported = this.debt
      const want = Math.max(0, waiting + Math.floor(slack()) - this.leased)
      return { key: sharedKey(`${name} ${perMinute}`, this.key), size: perMinute, debt: this.debt, want }
    }

    receive({ leased, tokens }: Leased): void {
      this.debt -= this.reported
      this.reported = 0
      this.leased += leased
      this.rest = tokens
      this.restAt = clock.now()
      // Those that came after the statement was sent can have to ask again.
      this.waiting = this.waiting.filter(({ tokens: wanted, resolve }) => {
        const isAllowed = this.spend(wanted)
        const isEmpty = this.available() < wanted
        if (isAllowed || isEmpty) resolve(isAllowed ? 0 : this.secondsUntil(wanted))
        return !isAllowed && !isEmpty
      })
      if (this.waiting.length > 0) leases.ask(this, true)
    }

    fail(): void {
      this.reported = 0
      for (const { tokens, resolve } of this.waiting.splice(0)) resolve(this.takeAlone(tokens))
    }

    private spend(tokens: number): boolean {
      const missing = Math.max(0, tokens - this.leased)
      const isWithinSlack = missing === 0 || (this.debt + missing <= slack() && this.available() >= tokens)
      if (!isWithinSlack) return false
      this.leased -= tokens - missing
      this.debt += missing
      // Its own bucket decides while the database is away.
      local.take(this.key, tokens)
      return true
    }

    private secondsUntil(tokens: number): number {
      return Math.max(1, Math.ceil((tokens - this.available()) / perMs / 1_000))
    }
  }

  function accountOf(key: string): Account {
    const known = accounts.get(key)
    if (known) return known
    const account = new Account(key)
    accounts.set(key, account)
    return account
  }

  return {
    take(key, wanted = 1) {
      const tokens = Math.min(wanted, perMinute)
      if (!isAlone()) return accountOf(key).take(tokens)
      const account = accounts.size > 0 ? accounts.get(key) : undefined
      return account ? account.takeAlone(tokens) : local.take(key, tokens)
    },
    status(key) {
      const account = isAlone() ? undefined : accounts.get(key)
      if (!account) return local.status(key)
      const available = Math.max(0, account.available())
      const resetSeconds = Math.ceil((perMinute - available) / perMs / 1_000)
      return { limit: perMinute, remaining: Math.floor(available), resetSeconds }
    },
  }
}
