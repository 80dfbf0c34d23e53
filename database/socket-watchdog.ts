import type { Socket } from 'node:net'

/** Checks per timeout: a silent connection is noticed at most one twelfth too late. */
const CHECKS = 12

/**
 * Destroys the socket of a server that sends nothing for `timeoutMs` while a response is due, as on a black-holed
 * connection, where node-postgres would wait without end. Only received bytes count: the socket's own timeout restarts
 * with each write, so a busy connection would never time out. See docs/decisions/0012-database-client.md.
 */
export class SocketWatchdog {
  readonly #socket: Socket
  readonly #timeoutMs: number
  /** A query was sent and its response is not complete. */
  isResponseDue = false
  isClosing = false
  /** For a statement that can take longer than the timeout. */
  isPaused = false

  constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket
    this.#timeoutMs = timeoutMs
  }

  start(): void {
    let received = this.#socket.bytesRead
    let silentChecks = 0
    const timer = setInterval(() => {
      const isDue = (this.isResponseDue && !this.isPaused) || this.isClosing
      silentChecks = isDue && this.#socket.bytesRead === received ? silentChecks + 1 : 0
      received = this.#socket.bytesRead
      // The first check can come right after the query; the others span the whole timeout. Closing takes no time.
      if (silentChecks > (this.isClosing ? 1 : CHECKS)) this.#socket.destroy()
    }, this.#timeoutMs / CHECKS)
    timer.unref()
    this.#socket.once('close', () => clearInterval(timer))
  }
}
