import { encode } from 'uqr'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'

/** Four modules, as the standard requires. */
const QUIET_ZONE = 4

/** True for a dark module; the quiet zone is included. */
export type QrCode = boolean[][]

/** A code takes 4 ms, because all eight masks are compared, and the route is public. A link has the same code every time. */
const cache = createBoundedCache<string, QrCode>({ max: 1_000 })

/** Level M: a code can be read if up to 15 % of it is dirty or torn. */
export function qrCodeOf(link: string): QrCode {
  const known = cache.get(link)
  if (known) return known
  const { data } = encode(link, { ecc: 'M', boostEcc: false, border: QUIET_ZONE })
  cache.set(link, data)
  return data
}

/** Scales to any size without blurring. Contains no text, so nothing that a host wrote can become markup. */
export function qrSvg(link: string): string {
  const code = qrCodeOf(link)
  const path = code
    .flatMap((row, y) => runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
  const size = code.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="512" height="512" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path}"/></svg>\n`
}

/** Neighbouring dark modules together: half as many bytes, and no thin lines between them. */
function runsOf(row: boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last && last.x + last.length === x) last.length += 1
    else if (isDark) runs.push({ x, length: 1 })
  }
  return runs
}
