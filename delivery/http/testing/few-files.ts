import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openFileLimit } from '../connect/open-files.ts'
import { createEgress } from '../index.ts'
import { requestTo } from './receivers.ts'

/**
 * `node few-files.ts <url> many|no-files-left|never-any-files`: posts in a process whose limit on open files its parent lowered, and
 * prints how many requests ended how.
 */
const [, , url = '', mode] = process.argv
const PER_ROUND = 100
const totalMs = mode === 'never-any-files' ? 1_000 : 120_000
const egress = createEgress({
  allowHttp: true,
  allowNetworks: ['127.0.0.1'],
  proxy: null,
  limits: { totalMs, connectMs: totalMs },
})
const results: Record<string, number> = {}

async function send(group: string): Promise<void> {
  const result = await egress.post(group, requestTo(url))
  const end = result === null ? 'no result' : (result.error ?? 'success')
  results[end] = (results[end] ?? 0) + 1
}

/** Opens files until there is no room for another. What Node still had open when the process started becomes free a little later. */
async function takeAllFiles(): Promise<number[]> {
  const taken: number[] = []
  for (let before = -1; taken.length > before; await pause(100)) {
    before = taken.length
    while (takeFile(taken));
  }
  return taken
}

function takeFile(taken: number[]): boolean {
  try {
    taken.push(openSync('/dev/null', 'r'))
    return true
  } catch {
    return false
  }
}

if (mode === 'many') {
  for (let sent = 0; sent < 600; sent += PER_ROUND)
    await Promise.all(Array.from({ length: PER_ROUND }, (_, i) => send(`g${sent + i}`)))
} else {
  const taken = await takeAllFiles()
  const sending = send('a')
  if (mode === 'no-files-left') {
    await pause(300)
    for (const file of taken) closeSync(file)
  }
  await sending
  if (mode !== 'no-files-left') for (const file of taken) closeSync(file)
}
console.log(JSON.stringify({ limit: openFileLimit(), maxConnections: egress.maxConnections, results }))
await egress.close()
