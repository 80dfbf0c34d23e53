import type { TestContext } from 'node:test'

interface Request {
  method: string
  path: string
  body: string
  key: string | null
  /** In milliseconds of the simulated clock. */
  at: number
}

/** Answers a request: a status with a body, or an error as a network would give. */
type Answer = (
  request: Request,
) => { status: number; body?: object; headers?: Record<string, string> } | 'lost'

/** The participant API behind `fetch`, on a simulated clock. */
export interface FakeServer {
  readonly requests: Request[]
  /** The paths of the requests that succeeded. */
  readonly received: string[]
  answer: Answer
  /** Lets time pass, in steps of a tenth of a second. */
  pass(ms: number): Promise<void>
  /** As the browser says that the network is back. */
  online(): void
}

export const accept: Answer = ({ method, path }) =>
  method === 'POST' && path.endsWith('/conversations')
    ? { status: 201, body: { id: 'c', token: 't', chunk_seconds: 5, withdraw_url: '' } }
    : { status: path.endsWith('/finish') ? 202 : 201, body: {} }

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function fakeServer(t: TestContext): FakeServer {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const page = new EventTarget()
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) })
  t.after(() => Reflect.deleteProperty(globalThis, 'addEventListener'))
  const server: FakeServer = {
    requests: [],
    received: [],
    answer: accept,
    async pass(ms) {
      await settle()
      for (let passed = 0; passed < ms; passed += 100) {
        t.mock.timers.tick(100)
        await settle()
      }
    },
    online: () => void page.dispatchEvent(new Event('online')),
  }
  t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    const body = await new Response(init.body ?? '').text()
    const path = url.replace('/api/participant', '')
    const headers = new Headers(init.headers)
    const request = {
      method: String(init.method),
      path,
      body,
      key: headers.get('idempotency-key'),
      at: Date.now(),
    }
    server.requests.push(request)
    const answer = server.answer(request)
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    if (answer.status < 300) server.received.push(path)
    return Response.json(answer.body ?? {}, { status: answer.status, headers: answer.headers ?? {} })
  })
  return server
}
