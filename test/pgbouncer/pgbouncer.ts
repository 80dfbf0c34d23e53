import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findServiceAccount } from '../../server/embedded/service-account.ts'
import { removeFolder, takePort, temporaryFolder } from '../support/service.ts'

const PATHS = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
]

export const findPgBouncer = (): string | null => PATHS.find((path) => existsSync(path)) ?? null

export type PoolMode = 'session' | 'transaction'

export interface PgBouncer {
  /** The same database, through PgBouncer. */
  urlOf(databaseUrl: string): string
  stop(): Promise<void>
}

/** In front of the PostgreSQL server of this URL, for all of its databases. */
export async function startPgBouncer(serverUrl: string, mode: PoolMode): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const { port, release } = await takePort()
  await release()
  const folder = await temporaryFolder()
  chmodSync(folder, 0o711)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = ${mode === 'transaction' ? 4 : 40}
`,
  )
  chmodSync(file, 0o644)
  const account = await findServiceAccount(folder)
  const child = spawn(findPgBouncer() as string, ['--quiet', file], {
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  const exited = once(child, 'exit')
  const urlOf = (databaseUrl: string) => Object.assign(new URL(databaseUrl), { port: String(port) }).href
  while (!(await accepts(urlOf(serverUrl)))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with exit code ${child.exitCode}`)
    await pause(25)
  }
  return {
    urlOf,
    stop: async () => {
      child.kill('SIGTERM')
      child.kill('SIGKILL')
      await exited
      await removeFolder(folder)
    },
  }
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    )
}
