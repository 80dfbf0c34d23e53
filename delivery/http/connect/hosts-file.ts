import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

const CHECK_EVERY_MS = 1_000

/** Addresses of a name in the system's hosts file, or undefined. Checks at most once a second whether the file has changed. */
export function readHostsFile(path: string): (name: string) => string[] | undefined {
  let names = new Map<string, string[]>()
  let changed = Number.NaN
  let checked = Number.NEGATIVE_INFINITY
  return (name) => {
    const now = performance.now()
    if (now - checked >= CHECK_EVERY_MS) {
      checked = now
      const changedNow = changeTime(path)
      if (changedNow !== changed) names = read(path)
      changed = changedNow
    }
    return names.get(name.toLowerCase())
  }
}

const changeTime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function read(path: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of contents(path).split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const alias of aliases.map((each) => each.toLowerCase()))
      names.set(alias, [...(names.get(alias) ?? []), address])
  }
  return names
}

/** A missing or unreadable file is an empty one. */
function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
