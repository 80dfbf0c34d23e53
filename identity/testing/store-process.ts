import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export const SECRET = 'a secret of the tests, long enough for HS256'

/** Settings of every store in tests. With the compile cache a start takes a third of the time. */
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
  /** Waits for the first message of a type; rejects if the process exits before. */
  message(type: string): Promise<Message>
  exit: Promise<number | null>
  output(): string
}

/** Runs the store like the backend does: as a child process with an IPC channel. */
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
    // All messages arrive before `disconnect`.
    if (child.connected) await once(child, 'disconnect')
    ended = true
    return code as number | null
  })
  return { child, exit, output: () => output, message: (type) => firstOf(type) }

  async function firstOf(type: string): Promise<Message> {
    for (;;) {
      const found = messages.find((message) => message.type === type)
      if (found) return found
      if (ended) throw new Error(`The store exited before it sent ${type}:\n${output}`)
      await Promise.race([once(child, 'message'), exit])
    }
  }
}
