import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { type ApiClient, apiClient } from '../faults/api-client.ts'
import { type Cluster, startCluster } from '../faults/cluster.ts'
import { type Program, Supervised } from '../faults/supervised.ts'
import { startProxy, type TcpProxy } from '../faults/tcp-proxy.ts'
import type { Waits } from '../faults/waits.ts'
import { mountSmallDisk, type SmallDisk } from './disk.ts'
import { CALM_DOWN, MISBEHAVIOURS, type Misbehaviour, type ModelOptions } from './misbehaviour.ts'

const ROOT = join(import.meta.dirname, '../..')
const WORKERS = 2

/** Everything real but the model: PostgreSQL, the API, two workers, a disk; each of them can be hurt alone. */
export class World {
  readonly folder: string
  readonly cluster: Cluster
  readonly disk: SmallDisk
  readonly waits: Waits
  readonly processes: Supervised[] = []
  /** The cables between the service's processes and PostgreSQL, by the names of those. */
  readonly links = new Map<string, TcpProxy>()
  /** What the model did to its callers. */
  readonly misbehaved = new Map<Misbehaviour, number>()
  private readonly seed: string
  private readonly modelPort: number
  private isCalm = false
  private readonly identitySecret = randomBytes(32).toString('hex')
  private readonly encryptionKey = newEncryptionKey()
  private readonly modelKey = randomBytes(16).toString('hex')

  private constructor(
    folder: string,
    cluster: Cluster,
    disk: SmallDisk,
    { seed, modelPort, waits }: { seed: string; modelPort: number; waits: Waits },
  ) {
    this.folder = folder
    this.waits = waits
    this.cluster = cluster
    this.disk = disk
    this.seed = seed
    this.modelPort = modelPort
  }

  static async start(seed: string, diskMegabytes: number, waits: Waits): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'parley conversation faults '))
    await chmod(folder, 0o711)
    const disk = await mountSmallDisk(join(folder, 'disk'), diskMegabytes)
    const cluster = await waits.for('PostgreSQL to start', startCluster(folder))
    const world = new World(folder, cluster, disk, { seed, modelPort: await freePort(), waits })
    try {
      await world.startProcesses()
    } catch (error) {
      await world.stop()
      throw error
    }
    return world
  }

  get api(): Supervised {
    return this.named('api')[0] as Supervised
  }

  get workers(): Supervised[] {
    return this.named('worker')
  }

  get model(): Supervised {
    return this.named('model')[0] as Supervised
  }

  /** Of the API as it is now; undefined before its first start. */
  get url(): string | undefined {
    return this.api.addresses.get('Backend')
  }

  clientOf(user: string): ApiClient {
    return apiClient(() => this.url, this.identitySecret, user)
  }

  /** What must not stand in any log. */
  get secrets(): string[] {
    return [this.cluster.password, this.identitySecret, this.encryptionKey, this.modelKey]
  }

  logOf({ name }: Supervised): Promise<string> {
    return readFile(join(this.folder, `${name}.log`), 'utf8')
  }

  async up(): Promise<void> {
    await Promise.all(
      this.processes.map((process) => this.waits.for(`${process.name} to come up`, process.up())),
    )
  }

  /** The model answers well from now on, and everybody works. */
  async calmDown(): Promise<void> {
    this.isCalm = true
    await this.up()
    this.model.signal(CALM_DOWN)
  }

  /** Whatever a black hole swallowed last would hold up a stop until it is given up. */
  async stopProcesses(): Promise<void> {
    for (const link of this.links.values()) link.cut()
    await Promise.all(this.processes.map((process) => process.stop()))
  }

  async stop(): Promise<void> {
    await this.stopProcesses()
    await Promise.all(this.links.values().map((link) => link.stop()))
    await this.cluster.stop()
    this.disk.unmount()
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  private async startProcesses(): Promise<void> {
    this.start({
      name: 'model',
      script: join(import.meta.dirname, 'model.ts'),
      ready: 'listening',
      environment: () => {
        const options: ModelOptions = { port: this.modelPort, seed: this.seed, isCalm: this.isCalm }
        return { MODEL: JSON.stringify(options) }
      },
      onLine: (line) => this.note(line),
    })
    await this.startService('api', 'api')
    for (let number = 1; number <= WORKERS; number++) await this.startService(`worker-${number}`, 'worker')
    await this.up()
  }

  private note(line: string): void {
    const how = Object.keys(MISBEHAVIOURS).find((name) => line === `did: ${name}`) as Misbehaviour | undefined
    if (how) this.misbehaved.set(how, (this.misbehaved.get(how) ?? 0) + 1)
  }

  private async startService(name: string, roles: string): Promise<void> {
    const through = new URL(this.cluster.url)
    const link = await startProxy({ host: through.hostname, port: Number(through.port) })
    through.port = String(link.port)
    this.links.set(name, link)
    this.start({
      name,
      script: join(ROOT, 'server/main.ts'),
      ready: 'Ctrl-C stops it.',
      environment: () => ({ ...this.settings(), ROLES: roles, DATABASE_URL: through.href }),
    })
  }

  private start(program: Program): void {
    this.processes.push(new Supervised(this.folder, program))
  }

  private settings(): Record<string, string> {
    return {
      FILES_URL: pathToFileURL(this.disk.folder).href,
      ENCRYPTION_KEY: this.encryptionKey,
      // Nobody is there: access tokens are verified by the secret alone.
      IDENTITY_URL: 'http://127.0.0.1:9',
      IDENTITY_SECRET: this.identitySecret,
      TRANSCRIBER: 'openai',
      SUMMARIZER: 'openai',
      OPENAI_BASE_URL: `http://127.0.0.1:${this.modelPort}/v1`,
      OPENAI_API_KEY: this.modelKey,
      TIER_GATES: 'off',
      RATE_LIMITS: 'off',
      PORT: '0',
      METRICS_PORT: '0',
    }
  }

  private named(name: string): Supervised[] {
    return this.processes.filter((process) => process.name.startsWith(name))
  }
}

/** For a server that comes back at its old address after each death. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
