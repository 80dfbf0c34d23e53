import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../platform/log.ts'
import { compileCacheVariable } from '../../platform/programs/compile-cache.ts'
import type { StandardOutput } from '../../platform/standard-output.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { isRunning } from './is-running.ts'

const PROGRAM = join(import.meta.dirname, '../../identity/main.ts')
/** Short: the backend has stopped before, so no request waits for the store. */
const STOP_LIMIT_MS = 1_000
const MAX_BACKOFF_MS = 10_000
const READY_LIMIT_MS = 60_000

export interface EmbeddedIdentityOptions {
  /** Keeps the store's process id, so that the next start can end one that was left hanging. */
  pidFile: string
  log: Logger
  /** Where its log lines go. */
  output: StandardOutput
  /** Called once, when the first admin was created; the password is null where a setting gave it. */
  showAdmin(email: string, password: string | null): Promise<void>
  /** Overrides the minute that its start gets; for tests. */
  readyLimitMs?: number
}

class NotReady extends StartupError {
  constructor() {
    super('The identity store did not get ready in time.')
    this.name = 'NotReady'
  }
}

type Message =
  | { type: 'admin'; email: string; password: string | null }
  | { type: 'ready'; url: string }
  | { type: 'failed'; message: string }

/** The embedded identity store: a separate process, restarted when it ends. */
export class EmbeddedIdentity {
  private child: ChildProcess | null = null
  private stopping = false
  /** The settings of the store, which are its environment. */
  private environment: Record<string, string> = {}
  private readonly options: EmbeddedIdentityOptions

  constructor(options: EmbeddedIdentityOptions) {
    this.options = options
  }

  /** Resolves to the address of the store when it is ready. */
  async start(environment: Record<string, string>): Promise<string> {
    await endLeftover(this.options.pidFile)
    this.environment = environment
    const url = await this.launchFirst()
    // A restart uses the same port, so that the address stays valid.
    this.environment = { ...environment, IDENTITY_PORT: new URL(url).port }
    void this.watch()
    return url
  }

  /** Works during the start, too, so that no process is left behind. */
  async stop(): Promise<void> {
    this.stopping = true
    if (this.child) await end(this.child)
    await rm(this.options.pidFile, { force: true })
  }

  /** A store that reports an error fails the start; one that hangs is killed and started again. */
  private async launchFirst(): Promise<string> {
    for (;;) {
      try {
        return await this.launch()
      } catch (err) {
        if (this.stopping || !(err instanceof NotReady)) throw err
        this.warn('Embedded identity store did not start in time; starting it again', err)
      }
    }
  }

  private warn(message: string, err?: unknown): void {
    this.options.log.warn({ err, component: 'identity' }, message)
  }

  private async watch(): Promise<void> {
    while (!this.stopping) {
      if (this.child && isRunning(this.child)) await once(this.child, 'exit')
      for (let delay = 250; !this.stopping; delay = Math.min(delay * 2, MAX_BACKOFF_MS)) {
        this.warn('Embedded identity store ended unexpectedly; restarting it')
        if (await this.launch().catch(() => null)) break
        await pause(delay, undefined, { ref: false })
      }
    }
  }

  /**
   * Runs in its own session, so that Ctrl-C does not stop it before the backend. It ends when the channel to this process
   * closes, also after a kill.
   */
  private async launch(): Promise<string> {
    // The argument is for `endLeftover`, which recognises the process by it.
    const child = spawn(process.execPath, [PROGRAM, this.options.pidFile], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      env: { ...nodeVariables(), ...this.environment },
    })
    this.child = child
    this.passOnOutput(child)
    if (child.pid) await writeFile(this.options.pidFile, String(child.pid), { mode: 0o600 })
    try {
      return await this.ready(child)
    } catch (error) {
      if (error instanceof NotReady) await end(child)
      throw error
    }
  }

  /** The store does not inherit our output: libuv makes an inherited pipe blocking again, for us, too. */
  private passOnOutput({ stdout, stderr }: ChildProcess): void {
    if (stdout) createInterface(stdout).on('line', (line) => this.options.output.write(`${line}\n`))
    stderr?.on('data', (text: Buffer) => process.stderr.write(text))
  }

  /** Resolves to its address. */
  private ready(child: ChildProcess): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      const limit = this.options.readyLimitMs ?? READY_LIMIT_MS
      setTimeout(() => reject(new NotReady()), limit).unref()
      child.on('message', (message: Message) => {
        if (message.type === 'ready') resolve(message.url)
        if (message.type === 'failed') reject(new StartupError(message.message))
        if (message.type === 'admin') {
          // The store commits the admin after this message: a password that was never shown would lock everyone out.
          void this.options
            .showAdmin(message.email, message.password)
            .then(() => child.connected && child.send({ type: 'admin-shown' }))
        }
      })
      child.once('error', reject)
      child.once('exit', (code) =>
        reject(new StartupError(`The identity store ended while starting (exit code ${code}).`)),
      )
      if (!isRunning(child)) reject(new StartupError('The identity store ended while starting.'))
    })
  }
}

/** The store gets no other variables than its settings and those that Node reads. */
const nodeVariables = (): Record<string, string> => ({
  ...compileCacheVariable(),
  ...(process.env['PATH'] && { PATH: process.env['PATH'] }),
})

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  // 'close' comes after its last output.
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const late = pause(STOP_LIMIT_MS, 'late', { ref: false })
  if ((await Promise.race([closed, late])) === 'late') {
    child.kill('SIGKILL')
    await closed
  }
}

/** Kills a store that hangs since its parent was killed. It is recognised by its command, since pids are reused. */
async function endLeftover(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  if (!(pid > 0)) return
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!command.includes(PROGRAM) || !command.includes(pidFile)) return
  process.kill(pid, 'SIGKILL')
  while (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) await pause(10)
}
