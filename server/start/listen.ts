import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config.ts'

/** What is under way when the stop begins gets this long. */
const DRAIN_MS = 8_000

/** A port that is taken is the most common trouble of a first start: say which variable to set. */
export function nameVariable(error: unknown, variable: string, port: number): Error {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken by another program: set ${variable} to a free one.`)
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be opened by this user: set ${variable} to another one.`)
  return error as Error
}

/** A port that links can carry before the app which they lead to is built. */
export interface ChosenPort {
  number: number
  /** Lets go of it, for the app to listen on it at once. */
  release(): Promise<void>
}

/** Port 0 lets the system choose: the port is held meanwhile, so that nobody else is given it. A worker alone listens nowhere. */
export async function choosePort({ HOST, PORT, ROLES }: Settings): Promise<ChosenPort> {
  if (PORT !== 0 || !ROLES.has('api')) return { number: PORT, release: async () => {} }
  // Whoever comes before the app does is sent away: a connection that stays would keep the port.
  const holder = createServer((socket) => socket.destroy()).listen(0, HOST)
  await once(holder, 'listening')
  return {
    number: (holder.address() as AddressInfo).port,
    release: () => new Promise((resolve) => void holder.close(() => resolve())),
  }
}

export async function listen(app: FastifyInstance, host: string, port: ChosenPort): Promise<void> {
  await app.ready()
  await port.release()
  try {
    await app.listen({ host, port: port.number })
  } catch (error) {
    throw nameVariable(error, 'PORT', port.number)
  }
}

/** No new connections; requests under way are finished, and cut off when they take too long. */
export async function drain(app: FastifyInstance): Promise<void> {
  const closed = app.close()
  // A connection whose last request is done stays open for the next one, which will never be taken.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
