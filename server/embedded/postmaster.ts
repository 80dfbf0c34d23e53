import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { basename, join } from 'node:path'
import { isProcessAlive } from '../../platform/is-process-alive.ts'

export interface Postmaster {
  pid: number
  port: number
}

/** PostgreSQL keeps its pid and port in `postmaster.pid`; after a crash the file stays behind. */
export async function readPidFile(folder: string): Promise<Postmaster | null> {
  const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : null
}

const pidFile = (folder: string): string => join(folder, 'postmaster.pid')

/** Null where the server does not run. After a power cut or in a restarted container, the pid can belong to another process. */
export async function readPostmaster(folder: string): Promise<Postmaster | null> {
  const noted = await readPidFile(folder)
  if (!noted || !isProcessAlive(noted.pid)) return null
  const isServer = (await isPostgres(noted.pid)) ?? (await isListenedTo(noted.port))
  return isServer ? noted : null
}

/** Checks only the command, because the same folder can have many paths. Null on systems without /proc. */
async function isPostgres(pid: number): Promise<boolean | null> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  return command === null ? null : basename(command.split('\0')[0] ?? '') === 'postgres'
}

async function isListenedTo(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(Boolean, () => false)
  socket.destroy()
  return isConnected
}

/** PostgreSQL refuses to start while the pid in a stale file is that of any process of its account. The file of a running server protects its data, so it stays. */
export async function removeStalePidFile(folder: string): Promise<void> {
  const noted = await readPidFile(folder)
  if (noted && isProcessAlive(noted.pid) && (await isPostgres(noted.pid)) === false)
    await rm(pidFile(folder), { force: true })
}
