import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { CANARY } from './occurrences.ts'
import type { ProducerOptions } from './producer.ts'
import { Progress } from './progress.ts'
import { type Receiver, type ReceiverPlan, startReceiver } from './receiver.ts'
import { type Program, Supervised } from './supervised.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'
import type { Waits } from './waits.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A process and the cable between it and PostgreSQL. */
export interface Part {
  process: Supervised
  link: TcpProxy
}

export interface WorldOptions {
  seed: string
  dispatchers: number
  receivers: readonly ReceiverPlan[]
  user: string
  waits: Waits
}

/** Everything real: PostgreSQL, the service's processes, their receivers; each of them can be hurt alone. */
export class World {
  readonly folder: string
  readonly cluster: Cluster
  readonly receiver: Receiver
  readonly progress = new Progress()
  readonly parts: Part[] = []
  private readonly options: WorldOptions
  private readonly identitySecret = randomBytes(32).toString('hex')
  private readonly encryptionKey = newEncryptionKey()

  private constructor(folder: string, cluster: Cluster, receiver: Receiver, options: WorldOptions) {
    this.folder = folder
    this.cluster = cluster
    this.receiver = receiver
    this.options = options
  }

  static async start(options: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'parley faults '))
    await chmod(folder, 0o711)
    const { waits } = options
    const cluster = await waits.for('PostgreSQL to start', startCluster(folder))
    const receiver = await waits.for(
      'the receivers to listen',
      startReceiver(folder, options.seed, options.receivers),
    )
    const world = new World(folder, cluster, receiver, options)
    try {
      await world.startServices()
    } catch (error) {
      await world.stop()
      throw error
    }
    return world
  }

  get waits(): Waits {
    return this.options.waits
  }

  get api(): Part {
    return this.partsNamed('api')[0] as Part
  }

  get dispatchers(): Part[] {
    return this.partsNamed('dispatcher')
  }

  /** A dispatcher whose process is left alone. */
  get survivor(): Part {
    return this.partsNamed('survivor')[0] as Part
  }

  get client(): ApiClient {
    const url = () => this.api.process.addresses.get('Backend')
    return apiClient(url, this.identitySecret, this.options.user)
  }

  /** What must not stand in any log. */
  get secrets(): string[] {
    const ofReceivers = this.options.receivers.flatMap(({ secret }) => secret ?? [])
    return [this.cluster.password, this.identitySecret, this.encryptionKey, CANARY, ...ofReceivers]
  }

  async startProducer(projects: string[], perSecond: number): Promise<Part> {
    const { seed } = this.options
    const since = Date.now()
    const producer = await this.startPart((databaseUrl) => ({
      name: 'producer',
      script: join(import.meta.dirname, 'producer.ts'),
      ready: 'producing',
      environment: () => {
        const first = this.progress.firstOpen()
        const options: ProducerOptions = { databaseUrl, seed, projects, first, perSecond, since }
        return { PRODUCER: JSON.stringify(options) }
      },
      onLine: (line) => this.progress.hear(line),
    }))
    await this.waits.for('the producer to come up', producer.process.up())
    return producer
  }

  /** Every process works. */
  async up(): Promise<void> {
    await Promise.all(
      this.parts.map(({ process }) => this.waits.for(`${process.name} to come up`, process.up())),
    )
  }

  logOf({ process }: Part): Promise<string> {
    return readFile(join(this.folder, `${process.name}.log`), 'utf8')
  }

  async stopProcesses(): Promise<void> {
    await Promise.all(this.parts.map(({ process }) => process.stop()))
  }

  async stop(): Promise<void> {
    await this.stopProcesses()
    await Promise.all([...this.parts.map(({ link }) => link), this.receiver].map((one) => one.stop()))
    await this.cluster.stop()
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  private async startServices(): Promise<void> {
    await this.startService('api', 'api')
    for (let number = 1; number <= this.options.dispatchers; number++)
      await this.startService(`dispatcher-${number}`, 'worker')
    await this.startService('survivor', 'worker')
    await this.up()
  }

  private async startService(name: string, roles: string): Promise<void> {
    await this.startPart((databaseUrl) => ({
      name,
      script: join(ROOT, 'server/main.ts'),
      ready: 'Ctrl-C stops it.',
      environment: () => ({ ...this.settings(), ROLES: roles, DATABASE_URL: databaseUrl }),
    }))
  }

  private async startPart(program: (databaseUrl: string) => Program): Promise<Part> {
    const through = new URL(this.cluster.url)
    const link = await startProxy({ host: through.hostname, port: Number(through.port) })
    through.port = String(link.port)
    const part = { process: new Supervised(this.folder, program(through.href)), link }
    this.parts.push(part)
    return part
  }

  private settings(): Record<string, string> {
    return {
      ENCRYPTION_KEY: this.encryptionKey,
      // Nobody is there: access tokens are verified by the secret alone.
      IDENTITY_URL: 'http://127.0.0.1:9',
      IDENTITY_SECRET: this.identitySecret,
      TIER_GATES: 'off',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      PORT: '0',
      METRICS_PORT: '0',
    }
  }

  private partsNamed(name: string): Part[] {
    return this.parts.filter(({ process }) => process.name.startsWith(name))
  }
}
