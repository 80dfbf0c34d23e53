import { after, before } from 'node:test'
import { type Caller, type Reply, startBackend, type TestBackend } from '../../support/backend.ts'
import { newPortal } from '../../support/conversations.ts'
import { scriptedEngines } from '../../support/engines.ts'
import {
  asAdmin,
  newPassword,
  type Service,
  startService,
  takePort,
  temporaryFolder,
} from '../../support/service.ts'
import { newTenantOf } from '../../support/tenants.ts'
import { until } from '../../support/webhooks.ts'
import { storedAudio } from './speech.ts'
import { conversationsOf, pageOf } from './stored.ts'

/** The whole service with the embedded engines. It can be killed and started again at the same address. */
export interface PortalService {
  admin: Caller
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Signs in again; a token is valid for 15 minutes. */
  signIn(): Promise<void>
  /** The joined audio of a conversation, once there is one. */
  audioOf(conversationId: string, limitMs?: number): Promise<Float32Array>
  /** A project with its recording page. */
  newProject(fields?: object): Promise<TestProject>
}

export interface TestProject {
  id: string
  /** The address of the recording page. */
  page: string
  conversations(): Promise<Reply['body'][]>
  patch(fields: object): Promise<void>
}

/** Far longer than a busy machine needs to transcribe a recording. */
export const TIMEOUT_MS = 600_000

export async function startPortalService(): Promise<PortalService> {
  const { port, release } = await takePort()
  await release()
  const [dataDir, password] = [await temporaryFolder(), newPassword()]
  const environment = { PORT: String(port), ADMIN_PASSWORD: password, RATE_LIMITS: 'off' }
  let service: Service
  const portal: PortalService = {
    admin: null as unknown as Caller,
    url: `http://127.0.0.1:${port}`,
    async start() {
      service = await startService(dataDir, { environment })
      await portal.signIn()
      portal.url = service.address('Backend')
    },
    async kill() {
      service.child.kill('SIGKILL')
      await service.gone
    },
    stop: () => service.stop(),
    async signIn() {
      portal.admin = await asAdmin(service, password)
    },
    async audioOf(id, limitMs = TIMEOUT_MS) {
      const read = async () => {
        const headers = { authorization: `Bearer ${portal.admin.token}` }
        const reply = await fetch(`${portal.url}/api/v2/conversations/${id}/audio`, { headers })
        if (reply.status === 401) await portal.signIn()
        return reply
      }
      const response = await until(read, ({ status }) => status === 200, limitMs)
      return await storedAudio(Buffer.from(await response.arrayBuffer()))
    },
    async newProject(fields = {}) {
      const { project: id } = await newTenantOf(portal.admin)
      const patch = async (changed: object) => {
        const { status, text } = await portal.admin.send('PATCH', `/api/v2/projects/${id}`, changed)
        if (status !== 200) throw new Error(text)
      }
      await patch(fields)
      return {
        id,
        page: `${portal.url}/p/${id}`,
        patch,
        conversations: async () => (await portal.admin.get(`/api/v2/projects/${id}/conversations`)).body.data,
      }
    },
  }
  await portal.start()
  return portal
}

/** One service for the tests of a file. */
export function portalService(): PortalService {
  const portal = {} as PortalService
  before(async () => void Object.assign(portal, await startPortalService()))
  return portal
}

/** The backend in this process, for tests of what needs no speech engine: it starts in a second. */
export function scriptedPortal(): Pick<PortalService, 'newProject'> {
  let backend: TestBackend
  before(async () => {
    backend = await startBackend({ engines: scriptedEngines() })
  })
  after(() => backend.stop())
  return {
    async newProject(fields = {}) {
      const portal = await newPortal(backend, fields)
      const { projectId: id, owner } = portal
      return {
        id,
        page: pageOf(portal),
        conversations: () => conversationsOf(portal),
        async patch(changed) {
          const { status, text } = await owner.send('PATCH', `/api/v2/projects/${id}`, changed)
          if (status !== 200) throw new Error(text)
        },
      }
    },
  }
}
