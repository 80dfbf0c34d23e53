import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Ways to be a bad receiver; see receiver.py. */
export const HOSTILE = [
  'hang',
  'reset',
  'error',
  'flaky',
  'slow',
  'busy',
  'garbage',
  'redirect',
  'endless',
  'closing',
  'early',
] as const
type Behaviour = 'ok' | (typeof HOSTILE)[number]

export interface ReceiverPlan {
  number: number
  behaviour: Behaviour
  secret: string | null
  payload: 'full' | 'ids'
  events: string[]
}

/** One line of the receiver's own log. */
export interface Received {
  receiver: number
  /** Seconds since 1970, by the clock that PostgreSQL uses too: all run on one machine. */
  at: number
  /** A whole request; or only its head, when it was answered before its body came; or that body. */
  part: 'whole' | 'head' | 'body'
  event: string
  delivery: string
  attempt: number
  sha: string | null
  length: number | null
  /** What the body tells of, as the ledger names it. */
  key: string | null
  problems: string[]
  /** As it was answered; 0 for no answer. */
  status: number
}

/** A request to a path that belongs to no receiver. */
export interface Stray {
  stray: string
  at: number
}

export interface Receiver {
  urlOf(number: number): string
  log: string
  stop(): Promise<void>
}

export async function startReceiver(
  folder: string,
  seed: string,
  plans: readonly ReceiverPlan[],
): Promise<Receiver> {
  const config = join(folder, 'receivers.json')
  const log = join(folder, 'received.jsonl')
  const receivers = Object.fromEntries(
    plans.map(({ number, secret, payload, behaviour }) => [number, { secret, payload, behaviour }]),
  )
  await writeFile(config, JSON.stringify({ seed, receivers }), { mode: 0o600 })
  await writeFile(log, '')
  const child = spawn('python3', ['-S', '-E', join(import.meta.dirname, 'receiver.py'), config, log], {
    // It ends when its standard input does, so also when this process dies.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (data: Buffer) => {
      output += data
      const found = /^listening (\d+)\n/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('error', reject)
    exited.then(() => reject(new Error('the receiver ended before it listened')), reject)
  })
  return {
    urlOf: (number) => `http://127.0.0.1:${port}/r/${number}`,
    log,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export async function readReceived(log: string): Promise<{ received: Received[]; strays: Stray[] }> {
  const received: Received[] = []
  const strays: Stray[] = []
  for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Infinity })) {
    const entry = JSON.parse(line) as Received | Stray
    if ('stray' in entry) strays.push(entry)
    else received.push(entry)
  }
  return { received, strays }
}
