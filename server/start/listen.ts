import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupError } from '../../platform/startup-error.ts'
import type { Settings } from '../config.ts'

/** How long requests in progress get when the stop begins. */
const DRAIN_MS = 8_000

/** A taken port is the most common failure of a first start: the message names the variable to set. */
export function nameVariable(error: unknown, variable: string, port: number): Error {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} is in use by another program. Set ${variable} to a free port.`)
  if (code === 'EACCES')
    return new StartupError(`Port ${port} cannot be opened by this user. Set ${variable} to another port.`)
  return error as Error
}

/** A port that links can contain before the app is built. */
export interface ChosenPort {
  number: number
  /** Whether helpers listen on it, too. The kernel gives each connection to one of the processes. */
  isShared: boolean
  /** Frees it just before the app listens on it. */
  release(): Promise<void>
}

/**
 * For port 0, listens on a free one to reserve it. Also reserves a shared port, because a second service could otherwise share it by
 * mistake. A worker without the API needs none.
 */
export async function choosePort({ HOST, PORT, ROLES }: Settings, isShared: boolean): Promise<ChosenPort> {
  if (!ROLES.has('api') || (PORT !== 0 && !isShared))
    return { number: PORT, isShared, release: async () => {} }
  // Connections are refused: an open one would keep the port occupied.
  const holder = createServer((socket) => socket.destroy()).listen(PORT, HOST)
  await once(holder, 'listening').catch((error: unknown) => {
    throw nameVariable(error, 'PORT', PORT)
  })
  return {
    number: (holder.address() as AddressInfo).port,
    isShared,
    release: () => new Promise((resolve) => void holder.close(() => resolve())),
  }
}

export async function listen(app: FastifyInstance, host: string, port: ChosenPort): Promise<void> {
  await app.ready()
  await port.release()
  try {
    await app.listen({ host, port: port.number, ...(port.isShared && { reusePort: true }) })
  } catch (error) {
    throw nameVariable(error, 'PORT', port.number)
  }
}

/** Accepts no new connections, and waits for requests in progress until the limit. */
export async function drain(app: FastifyInstance): Promise<void> {
  const closed = app.close()
  // Keep-alive connections would stay open for requests that are no longer accepted.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
