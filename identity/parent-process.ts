import { on } from 'node:events'

/** The process that started the store: the backend, over the IPC channel, or a terminal. */
export interface Parent {
  /** Resolves after the administrator was shown. */
  showAdmin(email: string, password: string | null): Promise<void>
  ready(url: string): Promise<void>
  failed(message: string): Promise<void>
}

export const parentOf = (self: NodeJS.Process): Parent => (self.send ? overChannel(self) : onTerminal(self))

function overChannel(self: NodeJS.Process): Parent {
  const send = (message: { type: string } & Record<string, unknown>) =>
    new Promise<void>((resolve, reject) => {
      if (!self.send) return reject(new Error('The parent process of the identity store has exited.'))
      self.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()))
    })
  return {
    async showAdmin(email, password) {
      // Listens before it sends, so that a quick response is not missed.
      const messages = on(self, 'message')
      await send({ type: 'admin', email, password })
      for await (const [message] of messages) if (message?.type === 'admin-shown') return
    },
    ready: (url) => send({ type: 'ready', url }),
    failed: (message) => send({ type: 'failed', message }),
  }
}

function onTerminal({ stdout, stderr }: NodeJS.Process): Parent {
  const print = (stream: NodeJS.WriteStream, text: string) =>
    new Promise<void>((resolve) => stream.write(`${text}\n`, () => resolve()))
  return {
    showAdmin: (email, password) =>
      print(
        stdout,
        `The first administrator is ${email}, with the password ${password ?? 'of ADMIN_PASSWORD'}`,
      ),
    ready: (url) => print(stdout, `The identity store listens on ${url}`),
    failed: (message) => print(stderr, message),
  }
}
