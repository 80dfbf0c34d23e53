import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

export interface ServiceOptions {
  environment?: Record<string, string>
  /** By `npm start` instead of directly. */
  viaNpm?: boolean
  uid?: number
  /** The program, where it is not the one of this checkout. */
  main?: string
}

/** The whole service as a person starts it: a process group of its own, with its output. */
export interface Service {
  child: ChildProcess
  output(): string
  /** Resolves when the given text was printed; rejects when the process ended before. */
  printed(text: string): Promise<void>
  /** The process is gone and all its output read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The process is gone; its children may still hold its output open. */
  gone: Promise<unknown>
  address(name: 'Backend' | 'Identity store' | 'Metrics'): string
  /** To the whole group, as Ctrl-C does. */
  signalGroup(signal: NodeJS.Signals): void
}

const launched = new Set<ChildProcess>()
// What a failed test left running would keep its file from ending. Asked to stop, so that it takes its PostgreSQL along.
after(async () => {
  for (const child of launched) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
})

const FREE_PORTS = { PORT: '0', IDENTITY_PORT: '0', METRICS_PORT: '0' }

export function launchService(
  dataDir: string,
  { environment = {}, viaNpm = false, uid, main = join(ROOT, 'server/main.ts') }: ServiceOptions = {},
): Service {
  const command = viaNpm ? ['npm', 'start'] : [process.execPath, main]
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: viaNpm ? ROOT : tmpdir(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: tmpdir(), DATA_DIR: dataDir, ...FREE_PORTS, ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  launched.add(child)
  let output = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data
      for (const look of waiting) look()
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))

  return {
    child,
    output: () => output,
    ended,
    gone: once(child, 'exit'),
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`It ended without printing ${text}:\n${output}`)))
      }),
    address: (name) => new RegExp(`${name} +(http\\S+?)(/metrics)?\\n`).exec(output)?.[1] ?? '',
    signalGroup: (signal) => void process.kill(-(child.pid as number), signal),
  }
}

export async function startService(dataDir: string, options: ServiceOptions = {}): Promise<Service> {
  const service = launchService(dataDir, options)
  await service.printed('Ctrl-C stops it.')
  return service
}

/** A folder whose name has a space in it, and that PostgreSQL's account can reach. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley data '))
  await chmod(folder, 0o711)
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

/** The processes of one data folder that still live, by their pid files. */
export async function leftovers(dataDir: string): Promise<string[]> {
  const pids = await Promise.all(
    ['postgres/postmaster.pid', 'identity.pid'].map((file) =>
      readFile(join(dataDir, file), 'utf8').catch(() => ''),
    ),
  )
  return pids.map((text) => text.split('\n')[0] ?? '').filter((pid) => pid !== '' && isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Holds a port, so that nobody else can. */
export async function takePort(): Promise<{ port: number; release(): Promise<void> }> {
  const server: Server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) }
}

export const newPassword = (): string => randomBytes(12).toString('hex')
