import { type AddressLimit, createAddressLimit } from '../../platform/address-limit.ts'
import type { Clock } from '../../platform/clock.ts'
import { createRateLimit, type RateLimit } from '../../platform/rate-limit.ts'

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
 * Event streams that can be open at the same time in one process. A facilitator has a few tabs, a hall several dashboards of
 * one project, a workspace several halls; the process holds four full workspaces.
 */
export const OPEN_STREAMS = { user: 20, project: 100, workspace: 250, process: 1_000 }

/** Downloads of a workspace export at the same time, in one process. Each reads everything that the workspace holds. */
export const DOWNLOADS_PER_WORKSPACE = 2

/** Retry-After of these two limits. The time at which another client disconnects is not known. */
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

/** `settings` is null with RATE_LIMITS=off. */
export function createRateLimits(settings: RateLimitSettings | null, clock: Clock): RateLimits | null {
  if (settings === null) return null
  const limit = (perMinute: number) => createRateLimit({ perMinute, clock })
  const addressLimit = (perMinute: number) => createAddressLimit({ perMinute, clock })
  return {
    perUser: limit(settings.perUser),
    failuresPerAddress: addressLimit(settings.failuresPerAddress),
    participantsPerAddress: addressLimit(REQUESTS_PER_MINUTE.participantsPerAddress),
    perConversation: limit(REQUESTS_PER_MINUTE.perConversation),
    perProject: limit(REQUESTS_PER_MINUTE.perProject),
    perWorkspace: limit(REQUESTS_PER_MINUTE.perWorkspace),
    startsPerProject: limit(REQUESTS_PER_MINUTE.startsPerProject),
  }
}
