import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export const SECRET = 'a secret of the tests, long enough for HS256'

/** What every store of the tests has. With its code compiled once, a start takes a third of the time. */
export const ENVIRONMENT = {
  IDENTITY_PORT: '0',
  IDENTITY_SECRET: SECRET,
  NODE_COMPILE_CACHE: join(tmpdir(), 'parley-compile-cache'),
}

interface Message {
  type: string
  [name: string]: unknown
}

export interface Launched {
  child: ChildProcess
  /** The first message of that type, once it comes; rejects when the process ends before. */
  message(type: string): Promise<Message>
  exit: Promise<number | null>
  output(): string
}

/** Runs the store as the backend does: a child with a channel. */
export function launch(environment: Record<string, string>): Launched {
  const child = fork(MAIN, {
    env: { ...ENVIRONMENT, RATE_LIMITS: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const messages: Message[] = []
  let output = ''
  child.on('message', (message) => messages.push(message as Message))
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  let ended = false
  const exit = once(child, 'exit').then(async ([code]) => {
    // By then all that it said was heard.
    if (child.connected) await once(child, 'disconnect')
    ended = true
    return code as number | null
  })
  return { child, exit, output: () => output, message: (type) => firstOf(type) }

  async function firstOf(type: string): Promise<Message> {
    for (;;) {
      const found = messages.find((message) => message.type === type)
      if (found) return found
      if (ended) throw new Error(`The store ended before it said ${type}:\n${output}`)
      await Promise.race([once(child, 'message'), exit])
    }
  }
}

export interface StoreProcess extends Launched {
  url: string
  admin: { email: string; password: string | null }
  stop(): Promise<void>
}

/** Launches a store on a fresh database and waits until it serves. */
export async function startStoreProcess(environment: Record<string, string>): Promise<StoreProcess> {
  const launched = launch(environment)
  const admin = (await launched.message('admin')) as unknown as StoreProcess['admin']
  launched.child.send({ type: 'admin-shown' })
  const { url } = await launched.message('ready')
  return { ...launched, url: url as string, admin, stop }

  async function stop(): Promise<void> {
    launched.child.kill('SIGTERM')
    await launched.exit
  }
}
