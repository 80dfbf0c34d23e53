import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import { atEnd } from './at-end.ts'
import { type Caller, callerOf } from './backend.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface ServiceOptions {
  environment?: Record<string, string>
  /** With `npm start` instead of node. */
  viaNpm?: boolean
  uid?: number
  /** The entry point of another version. */
  main?: string
}

/** The whole service in its own process group. */
export interface Service {
  child: ChildProcess
  output(): string
  /** Resolves when the given text was printed; rejects when the process ended before. */
  printed(text: string): Promise<void>
  /** Resolves when the process has ended and all its output was read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves when the process has ended; its children can still hold its output open. */
  gone: Promise<unknown>
  address(name: 'Backend' | 'Listens on' | 'Identity store' | 'Metrics'): string
  /** To the whole group, as Ctrl-C does. */
  signalGroup(signal: NodeJS.Signals): void
  /** Sends SIGTERM, and fails unless the exit code is 0. */
  stop(): Promise<void>
}

const launched = new Set<ChildProcess>()
const folders = new Set<string>()
// A service left running by a failed test would keep its file from ending. SIGTERM stops its PostgreSQL, too.
atEnd(async () => {
  for (const child of launched) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  await Promise.all(folders.values().map(removeFolder))
})

/** A start with a small young generation spends a tenth of its CPU time on collecting it. */
const LARGE_YOUNG_GENERATION = '--min-semi-space-size=16'

const DEFAULTS = {
  PORT: '0',
  IDENTITY_PORT: '0',
  METRICS_PORT: '0',
  // One process, however many cores the machine has.
  WORKERS: '1',
  // The service uses the same folder, but only once its first modules are loaded.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
}

export function launchService(
  dataDir: string,
  { environment = {}, viaNpm = false, uid, main = join(ROOT, 'server/main.ts') }: ServiceOptions = {},
): Service {
  const command = viaNpm ? ['npm', 'start'] : [process.execPath, LARGE_YOUNG_GENERATION, main]
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: viaNpm ? ROOT : tmpdir(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: tmpdir(), DATA_DIR: dataDir, ...DEFAULTS, ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  launched.add(child)
  let output = ''
  const printing = new EventEmitter().setMaxListeners(0)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data
      printing.emit('output')
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))

  return {
    child,
    output: () => output,
    ended,
    gone: once(child, 'exit'),
    printed: async (text) => {
      let hasEnded = false
      while (!output.includes(text)) {
        if (hasEnded) throw new Error(`The service exited without printing ${text}:\n${output}`)
        await Promise.race([once(printing, 'output'), ended.then(() => (hasEnded = true))])
      }
    },
    address: (name) => new RegExp(`${name} +(http\\S+?)(/metrics)?\\n`).exec(output)?.[1] ?? '',
    signalGroup: (signal) => void process.kill(-(child.pid as number), signal),
    stop: async () => {
      child.kill('SIGTERM')
      assert.equal((await ended).code, 0, output)
    },
  }
}

export async function startService(dataDir: string, options: ServiceOptions = {}): Promise<Service> {
  const service = launchService(dataDir, options)
  // Earlier releases print another sentence around it.
  await service.printed('Ctrl-C')
  return service
}

/** A folder that the account of PostgreSQL can reach, with a space in its name. Removed at the end of the tests. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley data '))
  await chmod(folder, 0o711)
  folders.add(folder)
  return folder
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

export async function signIn(service: Service, password: string): Promise<string> {
  const response = await fetch(`${service.address('Identity store')}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Signs in as the first admin. */
export const asAdmin = async (service: Service, password: string): Promise<Caller> =>
  callerOf(service.address('Backend'), 'admin', await signIn(service, password))

/** The pids in the pid files of a data folder whose processes still run. */
export async function leftovers(dataDir: string): Promise<string[]> {
  const pids = await Promise.all(
    ['postgres/postmaster.pid', 'identity.pid'].map((file) =>
      readFile(join(dataDir, file), 'utf8').catch(() => ''),
    ),
  )
  return pids
    .map((text) => text.split('\n')[0] ?? '')
    .filter((pid) => pid !== '' && isProcessAlive(Number(pid)))
}

/** Occupies a port until it is released. */
export async function takePort(): Promise<{ port: number; release(): Promise<void> }> {
  const server: Server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) }
}

export const newPassword = (): string => randomBytes(12).toString('hex')
