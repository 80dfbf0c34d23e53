import { FIXED_HEADERS } from './request.ts'
import { parseTargetUrl } from './target-url.ts'

export interface Target {
  url: URL
  origin: string
  /** The first lines of every request to it. */
  head: string
}

export interface Targets {
  /** Null when the URL breaks the rules. */
  of(url: string): Target | null
}

const MAX_KEPT = 4_096

/** A cache of parsed URLs: parsing one for each request costs as much as signing it. */
export function createTargets({ allowHttp }: { allowHttp: boolean }): Targets {
  const kept = new Map<string, Target>()
  return {
    of(text) {
      const known = kept.get(text)
      if (known) return known
      const url = parseTargetUrl(text, { allowHttp })
      if (!(url instanceof URL)) return null
      const target = { url, origin: url.origin, head: headOf(url) }
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(text, target)
      return target
    },
  }
}

const FIXED_LINES = Object.entries(FIXED_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)

const headOf = ({ pathname, search, host }: URL): string =>
  `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${FIXED_LINES.join('')}`
