import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** See receiver.py. */
export const FAULTY_BEHAVIOURS = [
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

export interface ReceiverPlan {
  number: number
  behaviour: 'ok' | (typeof FAULTY_BEHAVIOURS)[number]
  secret: string | null
  payload: 'full' | 'ids'
  events: string[]
}

/** One line of the receiver's log. */
export interface Received {
  receiver: number
  /** Seconds since 1970, by the clock that PostgreSQL uses too. */
  at: number
  /** A whole request; or its head, when the response was sent before the body came; or that body. */
  part: 'whole' | 'head' | 'body'
  event: string
  delivery: string
  attempt: number
  sha: string | null
  length: number | null
  /** The ledger key of the event. */
  key: string | null
  problems: string[]
  /** The status of the response; 0: none was sent. */
  status: number
}

/** A request to a path of no receiver. */
export interface UnknownPath {
  unknown_path: string
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
  const receivers = Object.fromEntries(plans.map((plan) => [plan.number, plan]))
  await writeFile(config, JSON.stringify({ seed, receivers }), { mode: 0o600 })
  await writeFile(log, '')
  const child = spawn('python3', ['-S', '-E', join(import.meta.dirname, 'receiver.py'), config, log], {
    // It exits when its standard input closes, also when this process dies.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const firstLine = once(createInterface({ input: child.stdout }), 'line')
  const [port] = await Promise.race([firstLine, exited.then(() => [])])
  if (port === undefined) throw new Error('the receiver exited before it listened')
  return {
    urlOf: (number) => `http://127.0.0.1:${port}/r/${number}`,
    log,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export async function readReceived(
  log: string,
): Promise<{ received: Received[]; unknownPaths: UnknownPath[] }> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line) as Received | UnknownPath)
  return {
    received: entries.filter((entry) => 'receiver' in entry),
    unknownPaths: entries.filter((entry) => 'unknown_path' in entry),
  }
}
