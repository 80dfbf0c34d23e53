/** `01:02:03`, or with `fraction` (the separator of the milliseconds) `01:02:03.004`. Hours can have more than two digits. */
export function clockTime(ms: number, fraction?: '.' | ','): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return fraction ? `${clock}${fraction}${String(ms % 1_000).padStart(3, '0')}` : clock
}
