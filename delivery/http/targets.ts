import { createBoundedCache } from '../../platform/bounded-cache.ts'
import { FIXED_HEADERS } from './request.ts'
import { parseTargetUrl } from './target-url.ts'

export interface Target {
  url: URL
  origin: string
  /** The first lines of every request to it. */
  head: string
}

/** The most endpoint queues that a dispatcher holds. Each has one URL. */
const MAX_KEPT = 20_000

export type Targets = ReturnType<typeof createTargets>

/** A cache of parsed URLs: parsing one for each request costs as much as signing it. */
export function createTargets({ allowHttp }: { allowHttp: boolean }) {
  const kept = createBoundedCache<string, Target>({ max: MAX_KEPT })
  return {
    /** Null when the URL breaks the rules. */
    of(text: string): Target | null {
      const known = kept.get(text)
      if (known) return known
      const url = parseTargetUrl(text, { allowHttp })
      if (!(url instanceof URL)) return null
      const target = { url, origin: url.origin, head: headOf(url) }
      kept.set(text, target)
      return target
    },
  }
}

const FIXED_LINES = Object.entries(FIXED_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)

const headOf = ({ pathname, search, host }: URL): string =>
  `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${FIXED_LINES.join('')}`
