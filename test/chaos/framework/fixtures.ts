import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newEncryptionKey } from '../../../platform/encryption.ts'
import { type ApiClient, createApiClient } from './api-client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Program, SupervisedProcess } from './supervised-process.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'
import type { Waits } from './waits.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The program of this version. */
export const SERVICE = join(ROOT, 'server/main.ts')
const PROJECTS = 5

/** The processes of the service, and how clients reach those of the API. */
export interface Topology {
  apis: number
  workers: number
  /** Starts a balancer between clients and the API processes, whose addresses are asked for at each connection; returns its URL. */
  balance?(fixtures: Fixtures, addresses: () => string[]): Promise<string>
  /** Whether PUBLIC_URL is not set to the address of the balancer: earlier releases print it instead of their own address. */
  hidesBalancer?: boolean
  /** The program of the service that processes start with from now on. */
  script?(): string
}

const ONE_API: Topology = { apis: 1, workers: 2 }

/** The secrets that all processes share. */
export interface Keys {
  identitySecret: string
  encryptionKey: string
}

export const newKeys = (): Keys => ({
  identitySecret: randomBytes(32).toString('hex'),
  encryptionKey: newEncryptionKey(),
})

/** A real PostgreSQL and real service processes in a temporary folder. Faults can hit each of them separately. */
export class Fixtures {
  readonly folder: string
  readonly cluster: Cluster
  readonly waits: Waits
  readonly topology: Topology
  readonly processes: SupervisedProcess[] = []
  readonly retired: SupervisedProcess[] = []
  /** Settings of all processes of the service. */
  serviceSettings: Record<string, string> = {}
  private balancerUrl: string | undefined
  private readonly keys: Keys
  private readonly cleanups: (() => Promise<void> | void)[] = []

  private constructor(folder: string, cluster: Cluster, waits: Waits, topology: Topology, keys: Keys) {
    this.folder = folder
    this.cluster = cluster
    this.waits = waits
    this.topology = topology
    this.keys = keys
  }

  static async start(
    waits: Waits,
    start = startCluster,
    topology = ONE_API,
    keys = newKeys(),
  ): Promise<Fixtures> {
    const folder = await mkdtemp(join(tmpdir(), 'parley chaos '))
    // The account that runs PostgreSQL has to reach its data folder.
    await chmod(folder, 0o711)
    const cluster = await waits.for('PostgreSQL to start', start(folder))
    return new Fixtures(folder, cluster, waits, topology, keys)
  }

  /** The processes whose names are the role, or the role with a number. */
  withRole(role: string): SupervisedProcess[] {
    return this.processes.filter(({ name }) => name.split('-')[0] === role)
  }

  /** The processes that use PostgreSQL, with their proxies. */
  get connections(): { name: string; proxy: TcpProxy }[] {
    return this.processes.flatMap(({ name, proxy }) => (proxy ? [{ name, proxy }] : []))
  }

  /** The URL of the balancer, or of the only API process; undefined before its first start. */
  get apiUrl(): string | undefined {
    return this.balancerUrl ?? this.withRole('api')[0]?.addresses.get('Backend')
  }

  async startApis(settings: Record<string, string>): Promise<void> {
    this.serviceSettings = settings
    const { apis, balance } = this.topology
    const addresses = () =>
      this.withRole('api').flatMap(
        ({ addresses: printed }) => printed.get('Listens on') ?? printed.get('Backend') ?? [],
      )
    this.balancerUrl = await balance?.(this, addresses)
    for (let number = 1; number <= apis; number++)
      await this.startService(`api-${number}`, { ...settings, ROLES: 'api' })
  }

  createClient(userId: string): ApiClient {
    return createApiClient(() => this.apiUrl, this.keys.identitySecret, userId)
  }

  onStop(cleanup: () => Promise<void> | void): void {
    this.cleanups.push(cleanup)
  }

  startProgram(program: Program, proxy: TcpProxy | null = null): SupervisedProcess {
    const process = new SupervisedProcess(this.folder, program, proxy)
    this.processes.push(process)
    return process
  }

  /** Starts a program with its own proxy to PostgreSQL, unless the cluster has proxies. */
  async startConnected(program: (databaseUrl: string) => Program): Promise<SupervisedProcess> {
    if (this.cluster.serviceUrl) return this.startProgram(program(this.cluster.serviceUrl))
    const url = new URL(this.cluster.url)
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
    this.onStop(() => proxy.stop())
    url.port = String(proxy.port)
    return this.startProgram(program(url.href), proxy)
  }

  startService(name: string, settings: Record<string, string>): Promise<SupervisedProcess> {
    return this.startConnected((databaseUrl) => ({
      name,
      script: this.topology.script ?? (() => SERVICE),
      readyText: 'Press Ctrl-C to stop.',
      environment: () => ({
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: this.keys.encryptionKey,
        // No server listens there: the service verifies access tokens with the secret alone.
        IDENTITY_URL: 'http://127.0.0.1:9',
        IDENTITY_SECRET: this.keys.identitySecret,
        TIER_GATES: 'off',
        RATE_LIMITS: 'off',
        DATA_DIR: join(this.folder, `data of ${name}`),
        PORT: '0',
        METRICS_PORT: '0',
        WORKERS: '1',
        ...(this.balancerUrl && !this.topology.hidesBalancer ? { PUBLIC_URL: this.balancerUrl } : {}),
        ...settings,
      }),
    }))
  }

  /** Stops a process of the service for good, as when a machine is taken away. */
  async retire(process: SupervisedProcess): Promise<void> {
    this.processes.splice(this.processes.indexOf(process), 1)
    this.retired.push(process)
    await process.stop()
  }

  /** Resolves when every process is up. */
  async up(): Promise<void> {
    await Promise.all(
      this.processes.map((process) => this.waits.for(`${process.name} to come up`, process.up())),
    )
  }

  /** The places in logs where one of the secrets, or a key of the fixtures, appears. */
  async findSecretsInLogs(secrets: readonly string[]): Promise<string[]> {
    const all = [this.cluster.password, this.keys.identitySecret, this.keys.encryptionKey, ...secrets]
    const found: string[] = []
    for (const { name } of [...this.processes, ...this.retired]) {
      const text = await readFile(join(this.folder, `${name}.log`), 'utf8')
      for (const [index, secret] of all.entries())
        if (text.includes(secret)) found.push(`number ${index} in the log of ${name}`)
    }
    return found
  }

  /** A connection that a black hole silenced would delay the stop until its timeout. */
  async stopProcesses(): Promise<void> {
    for (const { proxy } of this.connections) proxy.cutSilent()
    await Promise.all(this.processes.map((process) => process.stop()))
  }

  async stop(): Promise<void> {
    await this.stopProcesses()
    for (const cleanup of this.cleanups) await cleanup()
    await this.cluster.stop()
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}

/** Creates a resource exactly once, whatever happens to the API during the request. Returns its id. */
export async function create(client: ApiClient, path: string, body: unknown): Promise<string> {
  const response = await client.retry('POST', path, body, randomUUID())
  if (response.status !== 201) throw new Error(`POST ${path} failed: ${JSON.stringify(response)}`)
  return response.body.id
}

export async function createProjects(client: ApiClient): Promise<string[]> {
  const name = 'Chaos'
  const organisation = await create(client, '/api/v2/organisations', { name })
  const workspace = await create(client, `/api/v2/organisations/${organisation}/workspaces`, { name })
  return Promise.all(
    Array.from({ length: PROJECTS }, (_, index) =>
      create(client, `/api/v2/workspaces/${workspace}/projects`, { name: `${name} ${index + 1}` }),
    ),
  )
}
