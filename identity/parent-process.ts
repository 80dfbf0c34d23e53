/** Whoever started the store: the backend's process, over its channel, or a person at a terminal. */
export interface Parent {
  /** Resolves when the administrator was shown. */
  showAdmin(email: string, password: string | null): Promise<void>
  ready(url: string): Promise<void>
  failed(message: string): Promise<void>
}

export const parentOf = (self: NodeJS.Process): Parent => (self.send ? overChannel(self) : onTerminal(self))

function overChannel(self: NodeJS.Process): Parent {
  const tell = (message: { type: string } & Record<string, unknown>) =>
    new Promise<void>((resolve, reject) => {
      if (!self.send) return reject(new Error('The process that started the identity store is gone'))
      self.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()))
    })
  return {
    async showAdmin(email, password) {
      // Listens before it asks, so that a quick answer is not missed.
      const shown = heard(self, 'admin-shown')
      await tell({ type: 'admin', email, password })
      await shown
    },
    ready: (url) => tell({ type: 'ready', url }),
    failed: (message) => tell({ type: 'failed', message }),
  }
}

function heard(self: NodeJS.Process, type: string): Promise<void> {
  return new Promise((resolve) => {
    self.on('message', function listener(message: { type?: unknown } | null) {
      if (message?.type !== type) return
      self.off('message', listener)
      resolve()
    })
  })
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
