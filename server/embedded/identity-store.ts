import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../kernel/log.ts'

const PROGRAM = join(import.meta.dirname, '../../identity/main.ts')
/** It stops after the backend, whose requests had their time: nobody is waiting for it any more. */
const STOP_LIMIT_MS = 1_000
const MOST_BACKOFF_MS = 10_000

export interface EmbeddedIdentityOptions {
  /** The store's settings: its whole environment, beside PATH. */
  environment: Record<string, string>
  /** Keeps the store's process id, so that the next start can end one that was left hanging. */
  pidFile: string
  log: Logger
  /** Called once, when the first admin was made; the password is null when it was given by a setting. */
  showAdmin(email: string, password: string | null): void
}

export interface EmbeddedIdentity {
  url: string
  stop(): Promise<void>
}

type Message =
  | { type: 'admin'; email: string; password: string | null }
  | { type: 'ready'; url: string }
  | { type: 'failed'; message: string }

/** Runs the embedded identity store as a process of its own, and brings it back when it dies. */
export async function startEmbeddedIdentity(options: EmbeddedIdentityOptions): Promise<EmbeddedIdentity> {
  const { log } = options
  await endLeftover(options.pidFile)
  let { child, url } = await launch(options, options.environment)
  let stopping = false

  // The port is now fixed, so that the address that was given out stays true.
  const environment = { ...options.environment, IDENTITY_PORT: new URL(url).port }
  async function watch(): Promise<void> {
    while (!stopping) {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      for (let delay = 250; !stopping; delay = Math.min(delay * 2, MOST_BACKOFF_MS)) {
        log.warn({ component: 'identity' }, 'the embedded identity store went away; bringing it back')
        const launched = await launch(options, environment).catch(() => null)
        if (launched) {
          child = launched.child
          break
        }
        await pause(delay, undefined, { ref: false })
      }
    }
  }
  void watch()

  return {
    url,
    stop: async () => {
      stopping = true
      await end(child)
      await rm(options.pidFile, { force: true })
    },
  }
}

/**
 * In a session of its own, so that Ctrl-C reaches it only through us, in order. When we die without a word the channel
 * closes, and it ends by itself.
 */
async function launch(
  options: EmbeddedIdentityOptions,
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...ownVariables(), ...environment },
  })
  if (child.pid) await writeFile(options.pidFile, String(child.pid))
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: Message) => {
      if (message.type === 'ready') resolve(message.url)
      if (message.type === 'failed') reject(new Error(message.message))
      if (message.type === 'admin') {
        options.showAdmin(message.email, message.password)
        // Only now is the admin's row committed: a password that nobody saw would lock everybody out.
        child.send({ type: 'admin-shown' })
      }
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`The identity store ended at its start (exit code ${code}).`)),
    )
  })
  return { child, url }
}

/** What Node itself reads; all else that the store knows is passed on purpose. */
function ownVariables(): Record<string, string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { ...(PATH ? { PATH } : {}), ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const late = pause(STOP_LIMIT_MS, 'late', { ref: false })
  if ((await Promise.race([exited, late])) === 'late') {
    child.kill('SIGKILL')
    await exited
  }
}

/** After a kill the old store ends by itself; one that hangs is ended here. The command is looked at, since ids are used again. */
async function endLeftover(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  if (!(pid > 0)) return
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (!command.includes(PROGRAM)) return
  process.kill(pid, 'SIGKILL')
  while (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) await pause(10)
}
