import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problems.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie along with requests that other sites cause. What changes something must show that it came
 * from an allowed origin: by fetch metadata, which pages can't forge, else by `Origin`. Bearer tokens are never sent unasked.
 */
export function refuseForgery(
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
