import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { type Account, type Api, signIn } from './api.ts'
import { sendHeartbeats, startLive, untilProcessed, withdrawLive } from './conversations.ts'
import { fill } from './fill.ts'
import { accountOf, HOST, STAFF } from './people.ts'
import { startReceiver } from './receiver.ts'
import { startService } from './service.ts'
import { type DemoState, readState, writeState } from './state.ts'
import { silentTerminal, type Terminal } from './terminal.ts'
import { moveWebhooks } from './webhooks.ts'

/** The demo while it runs. */
export interface Demo extends Omit<DemoState, 'complete' | 'password' | 'receiverPort' | 'live'> {
  url: string
  identityUrl: string
  receiverUrl: string
  /** Whether this start found the data of an earlier one. */
  isKnown: boolean
  host: Account
  staff: Account
  /** Requests as the host. */
  api: Api
  onDelivery(listener: (line: string) => void): void
  /** Resolves when every recording is transcribed. */
  untilTranscribed(): Promise<void>
  /** Resolves when the service has ended. */
  ended: Promise<void>
  stop(): Promise<void>
}

interface DemoOptions {
  folder: string
  terminal?: Terminal
  environment?: NodeJS.ProcessEnv
  /** Stops it, also while it is being filled. */
  signal?: AbortSignal
}

const RECEIVER_PORT = 8790
const HEARTBEAT_MS = 60_000

/** Starts the service and the receiver, and fills the service if the folder is new. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { folder, terminal = silentTerminal, environment = process.env, signal } = options
  const known = await readState(folder)
  const fresh = {
    complete: false,
    password: `demo-${randomBytes(4).toString('hex')}`,
    receiverPort: RECEIVER_PORT,
  }
  await mkdir(folder, { recursive: true })
  // If it runs as root, PostgreSQL has another account, which passes through.
  await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
  if (!known) await writeState(folder, fresh as DemoState)
  const { password, receiverPort } = known ?? fresh
  const stack = new AsyncDisposableStack()
  try {
    const receiver = await startReceiver(receiverPort)
    stack.defer(receiver.close)
    const service = await terminal.step('Starting the service', () =>
      startService({ folder, password, environment, signal }),
    )
    stack.defer(service.stop)
    const filled = known ?? (await fill(service, fresh, receiver, terminal))
    for (const [slug, { secret }] of Object.entries(filled.webhooks)) receiver.secrets.set(slug, secret)
    const account = { ...service, password }
    const api = await signIn(service.url, service.identityUrl, accountOf(HOST, account))
    if (receiver.port !== receiverPort && known) await moveWebhooks(api, filled.webhooks, receiver)
    const { organisation, workspace, projects, webhooks, reports } = filled
    if (known) await withdrawLive(service.url, known.live)
    const live = await startLive(service.url, projects['harbour'] as string)
    const port = { receiverPort: receiver.port }
    await writeState(folder, { ...filled, ...port, live, complete: true, password })
    const timer = setInterval(() => void sendHeartbeats(service.url, live), HEARTBEAT_MS)
    stack.defer(() => clearInterval(timer))
    return {
      organisation,
      workspace,
      projects,
      webhooks,
      reports,
      url: service.url,
      identityUrl: service.identityUrl,
      receiverUrl: receiver.url,
      isKnown: known !== null,
      host: accountOf(HOST, account),
      staff: accountOf(STAFF, account),
      api,
      onDelivery: (listener) => {
        receiver.onDelivery = ({ endpoint, type, status, verified }) =>
          listener(`${type} → ${endpoint}: ${verified ? 'signature verified' : 'not verified'}, ${status}`)
      },
      untilTranscribed: () => untilProcessed(api, projects),
      ended: service.ended,
      stop: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
