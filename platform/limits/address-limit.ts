import { addressKeys } from './client-address.ts'
import { createRateLimit, isTighter, type RateLimit, type RateLimitOptions } from './rate-limit.ts'

/** A rate limit per client address. `keyedBy` prevents using a plain limit instead, which would count each spelling separately. */
export interface AddressLimit extends RateLimit {
  readonly keyedBy: 'address'
}

/** A /48 network has this many times the limit of one /64. */
const SITE_FACTOR = 10

/** Limits an IPv4 address or an IPv6 /64 to `perMinute`, and an IPv6 /48 to ten times as much. */
export function createAddressLimit(
  { perMinute, ...options }: RateLimitOptions,
  create: (options: RateLimitOptions) => Required<RateLimit> = createRateLimit,
): AddressLimit {
  const hosts = create({ ...options, perMinute })
  const sites = create({ ...options, perMinute: perMinute * SITE_FACTOR })
  return {
    keyedBy: 'address',
    take(address) {
      const { host, site } = addressKeys(address)
      // A request that the /64 limit rejects does not count for the /48, or one client could use up the limit of its site.
      const takeOfSite = (wait: number) => (wait > 0 || site === null ? wait : sites.take(site))
      const wait = hosts.take(host)
      return typeof wait === 'number' ? takeOfSite(wait) : wait.then(takeOfSite)
    },
    status(address) {
      const { host, site } = addressKeys(address)
      const ofHost = hosts.status(host)
      const ofSite = site === null ? ofHost : sites.status(site)
      return isTighter(ofSite, ofHost) ? ofSite : ofHost
    },
  }
}
