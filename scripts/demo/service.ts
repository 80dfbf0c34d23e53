import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const STOP_MS = 15_000

/** The service as `npm start` runs it, in a separate process. */
export interface RunningService {
  url: string
  identityUrl: string
  databaseUrl(): Promise<string>
  /** Resolves when it has ended, also by Ctrl-C, which the terminal sends to it, too. */
  ended: Promise<void>
  stop(): Promise<void>
}

interface ServiceOptions {
  /** The service stores its data in `service`, and its output in `service.log`. */
  folder: string
  password: string
  environment: NodeJS.ProcessEnv
  /** Stops it, also while it starts. */
  signal: AbortSignal | undefined
}

export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { folder, password, environment, signal } = options
  const dataDir = join(folder, 'service')
  const logFile = join(folder, 'service.log')
  const child = spawn(process.execPath, ['--max-old-space-size=512', join(ROOT, 'server/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      PORT: environment['PORT'] ?? (await freePort(8000)),
      IDENTITY_PORT: environment['IDENTITY_PORT'] ?? (await freePort(8055)),
      METRICS_PORT: environment['METRICS_PORT'] ?? (await freePort(9464)),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
      // The receiver of the demo listens there.
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    },
  })
  signal?.addEventListener('abort', () => child.kill('SIGTERM'))
  const output = await readUntilReady(child, logFile)
  const address = (name: string) => new RegExp(`${name} +(http\\S+)`).exec(output)?.[1] ?? ''
  const ended = child.exitCode === null ? once(child, 'exit').then(() => {}) : Promise.resolve()
  return {
    url: address('Backend'),
    identityUrl: address('Identity store'),
    databaseUrl: () => databaseUrlOf(dataDir),
    ended,
    async stop() {
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(kill)
    },
  }
}

/** All output goes to the log; the banner at the end of the start has the addresses. */
async function readUntilReady(child: ChildProcess, logFile: string): Promise<string> {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => {
        log.write(data)
        if (output.includes('Ctrl-C')) return
        output += data.toString()
        if (output.includes('Ctrl-C')) resolve()
      })
    child.on('exit', () =>
      reject(new Error(`The service did not start. See ${logFile}.\n${output.slice(-2000)}`)),
    )
  })
  await ready
  return output
}

/** The usual port, or 0 (any free one) if another program has it. */
async function freePort(usual: number): Promise<string> {
  const server = createServer()
  server.listen(usual, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => server.close(resolve))
  return isFree ? String(usual) : '0'
}

/** The URL of the embedded PostgreSQL: its password is among the secrets, its port in its pid file. */
async function databaseUrlOf(dataDir: string): Promise<string> {
  const { database_password } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
  const port = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3]
  return `postgres://parley:${encodeURIComponent(database_password)}@127.0.0.1:${port}/parley`
}
