import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problems.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie also with requests that other sites cause. A request that changes data must show that it comes from
 * an allowed origin: by fetch metadata, which pages cannot forge, or by `Origin`. Browsers never send bearer tokens on their own.
 */
export function rejectCrossSiteRequest(
  method: string,
  headers: IncomingHttpHeaders,
  allowedOrigins: ReadonlySet<string>,
): void {
  if (SAFE_METHODS.has(method)) return
  const { origin, 'sec-fetch-site': site } = headers
  const isAllowed = origin !== undefined && allowedOrigins.has(origin)
  const passes =
    site === 'same-origin'
      ? origin === undefined || isAllowed
      : (site === undefined || site === 'same-site') && isAllowed
  if (!passes) throw new Problem('csrf_rejected')
}
