import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

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

export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw nameVariable(error, 'PORT', port)
  }
  return (app.server.address() as AddressInfo).port
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
