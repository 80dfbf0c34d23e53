import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createS3Client } from '../../../storage/s3/client.ts'
import type { S3StoreOptions } from '../../../storage/s3/s3-store.ts'
import { takePort } from '../service.ts'

/** SeaweedFS, as scripts/setup-s3-server.ts installs it. */
export const SEAWEEDFS_VERSION = '4.48'
export const SEAWEEDFS = join(
  import.meta.dirname,
  `../../node_modules/.cache/seaweedfs-${SEAWEEDFS_VERSION}/weed`,
)
export const hasS3Server = (): boolean => existsSync(SEAWEEDFS)
export const NO_S3_SERVER = 'SeaweedFS is not installed: npm run setup:s3'

export interface S3Server extends AsyncDisposable {
  endpoint: string
  /** Its plain HTTP interface to all files, at `/buckets/<bucket>`. */
  filer: string
  /** A new bucket, and all that a store needs to use it. */
  newBucket(options?: { versioned?: boolean }): Promise<S3StoreOptions>
  stop(): Promise<void>
}

const KEYS = { accessKeyId: 'parley-test', secretAccessKey: 'parley-test-secret', region: 'us-east-1' }
const ACTIONS = ['Admin', 'Read', 'Write', 'List', 'Tagging']

const STARTS = 5

/** A real S3 server with its data in a temporary folder. Another process can take one of its ports first: then it starts again. */
export async function startS3Server(): Promise<S3Server> {
  for (let start = 1; ; start++) {
    try {
      return await startOnce()
    } catch (error) {
      if (start === STARTS) throw error
    }
  }
}

async function startOnce(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  const config = join(folder, 's3.json')
  const credentials = [{ accessKey: KEYS.accessKeyId, secretKey: KEYS.secretAccessKey }]
  await writeFile(config, JSON.stringify({ identities: [{ name: 'test', credentials, actions: ACTIONS }] }))
  const data = join(folder, 'data')
  await mkdir(data)
  const [master, volume, filer, s3, ...grpc] = await freePorts(8)
  const child = spawn(
    SEAWEEDFS,
    [
      'server',
      `-dir=${data}`,
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      '-filer',
      '-s3',
      '-s3.port.iceberg=0',
      '-s3.port.lance=0',
      `-s3.config=${config}`,
      // Each bucket takes several.
      '-volume.max=1000',
      '-master.volumeSizeLimitMB=64',
      '-volume.minFreeSpace=0',
      ...Object.entries({ master, volume, filer, s3 }).flatMap(([name, port], n) => [
        `-${name}.port=${port}`,
        `-${name}.port.grpc=${grpc[n]}`,
      ]),
    ],
    { stdio: 'ignore', cwd: folder },
  )
  const stop = () => end(child, folder)
  const endpoint = `http://127.0.0.1:${s3}`
  await listening(endpoint, child).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    endpoint,
    filer: `http://127.0.0.1:${filer}`,
    newBucket: (options) => newBucket(endpoint, options),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function newBucket(endpoint: string, { versioned = false } = {}): Promise<S3StoreOptions> {
  const options = { ...KEYS, endpoint, bucket: `parley-${randomUUID()}`, prefix: 'shared/parley' }
  const client = createS3Client({ ...options, limits: { retryMs: 30_000 } })
  // The filer begins to accept writes a moment after the S3 port.
  await client.text({ method: 'PUT' })
  if (versioned)
    await client.text({
      method: 'PUT',
      query: { versioning: '' },
      body: Buffer.from('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'),
    })
  await client.close()
  return options
}

async function listening(endpoint: string, child: ChildProcess): Promise<void> {
  let hasEnded = false
  child.once('exit', () => (hasEnded = true))
  while (!(await fetch(`${endpoint}/healthz`).catch(() => null))?.ok) {
    if (hasEnded) throw new Error('The S3 server exited before it was ready.')
    await pause(50)
  }
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Different ones, because all are occupied at the same time. */
async function freePorts(count: number): Promise<number[]> {
  const taken = await Promise.all(Array.from({ length: count }, takePort))
  await Promise.all(taken.map(({ release }) => release()))
  return taken.map(({ port }) => port)
}
