import type { Clock } from '../../platform/clock.ts'
import { type AddressLimit, createAddressLimit } from '../../platform/limits/address-limit.ts'
import type { RateLimit } from '../../platform/limits/rate-limit.ts'
import { createSharedRateLimit } from './shared-limits/shared-rate-limit.ts'
import type { TokenLeases } from './shared-limits/token-leases.ts'

/**
 * Requests per minute, each with a burst of as many. RATE_LIMIT_PER_USER and RATE_LIMIT_FAILURES set the limits of users and of
 * failed authentications per address; their defaults are in config.ts. The identity store limits sign-ins itself (identity/auth).
 *
 * A room of 200 phones shares one address. Each phone sends twelve chunks and reads its text fifteen times: 5,400 requests. The limit
 * is twice that, so that the phones also catch up after an outage. A project has several rooms, and a workspace several projects.
 */
const REQUESTS_PER_MINUTE = {
  participantsPerAddress: 12_000,
  perConversation: 240,
  perProject: 24_000,
  perWorkspace: 48_000,
  startsPerProject: 1_200,
}

/** Test deliveries per webhook, in a sliding window of one minute that the database keeps. */
export const WEBHOOK_TESTS_PER_MINUTE = 10

/** Tokens of the user's rate limit that opening an event stream costs, including the one that every request costs. */
export const STREAM_TOKENS = 10

/**
 * Event streams that can be open at the same time, in all API processes together and in one process. A facilitator has a few tabs, a
 * hall several dashboards of one project, a workspace several halls; a process holds four full workspaces.
 */
export const OPEN_STREAMS = { user: 20, project: 100, workspace: 250, process: 1_000 }

/** Downloads of a workspace export at the same time, in all API processes together. Each reads everything that the workspace holds. */
export const DOWNLOADS_PER_WORKSPACE = 2

/** Retry-After for the stream and download limits. The time at which another client disconnects is not known. */
export const RETRY_AFTER_SECONDS = { stream: 30, download: 60 }

export interface RateLimits {
  perUser: RateLimit
  failuresPerAddress: AddressLimit
  participantsPerAddress: AddressLimit
  perConversation: RateLimit
  perProject: RateLimit
  perWorkspace: RateLimit
  startsPerProject: RateLimit
}

export interface RateLimitSettings {
  perUser: number
  failuresPerAddress: number
}

export interface RateLimitParts {
  clock: Clock
  /** How API processes share the limits. */
  leases: TokenLeases
}

/** `settings` is null with RATE_LIMITS=off. */
export function createRateLimits(
  settings: RateLimitSettings | null,
  { clock, leases }: RateLimitParts,
): RateLimits | null {
  if (settings === null) return null
  const limits = { ...REQUESTS_PER_MINUTE, ...settings }
  const limit = (name: keyof typeof limits) =>
    createSharedRateLimit(name, { perMinute: limits[name], clock }, leases)
  const addressLimit = (name: keyof typeof limits) =>
    createAddressLimit({ perMinute: limits[name], clock }, (options) =>
      createSharedRateLimit(name, options, leases),
    )
  return {
    perUser: limit('perUser'),
    failuresPerAddress: addressLimit('failuresPerAddress'),
    participantsPerAddress: addressLimit('participantsPerAddress'),
    perConversation: limit('perConversation'),
    perProject: limit('perProject'),
    perWorkspace: limit('perWorkspace'),
    startsPerProject: limit('startsPerProject'),
  }
}
