import type { RecordingFiles, StoredFiles } from '../chaos/conversations/recording-files.ts'
import type { Fixtures } from '../chaos/framework/fixtures.ts'
import { startProxy } from '../chaos/framework/tcp-proxy.ts'
import { startS3Server } from '../support/servers/s3-server.ts'

/** A bucket on a real S3 server: the processes share no disk. All of them lose it when the proxy drops its packets. */
export async function openBucket(fixtures: Fixtures): Promise<RecordingFiles> {
  const server = await startS3Server()
  fixtures.onStop(() => server.stop())
  const { hostname, port } = new URL(server.endpoint)
  const proxy = await startProxy({ host: hostname, port: Number(port) })
  fixtures.onStop(() => proxy.stop())
  const { bucket, prefix, region, accessKeyId, secretAccessKey } = await server.newBucket()
  return {
    settings: {
      FILES_URL: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    fault: {
      kind: 'bucket away',
      response: '503 storage_unavailable',
      begin: async () => proxy.set('black hole'),
      end: async () => proxy.set('pass'),
    },
    read: () => readFolder(`${server.filer}/buckets/${bucket}/${prefix}/files/conversations`),
  }
}

interface Entry {
  FullPath: string
  Mode: number
}

/** The bit of Go's `os.FileMode` for a folder. */
const FOLDER = 2 ** 31
const PAGE = 10_000

async function readFolder(folder: string): Promise<StoredFiles> {
  const found: StoredFiles = new Map()
  for (const { FullPath, Mode } of await listFolder(folder)) {
    const url = new URL(encodeURI(FullPath), folder).href
    if (Mode >= FOLDER) for (const [id, files] of await readFolder(url)) found.set(id, files)
    else {
      const [id = '', name = ''] = FullPath.split('/').slice(-2)
      const files = found.get(id) ?? new Map<string, Buffer>()
      found.set(id, files.set(name, Buffer.from(await (await fetch(url)).arrayBuffer())))
    }
  }
  return found
}

async function listFolder(folder: string): Promise<Entry[]> {
  const response = await fetch(`${folder}/?limit=${PAGE}`, { headers: { accept: 'application/json' } })
  // The first file creates the folder.
  if (response.status === 404) return []
  const { Entries } = (await response.json()) as { Entries: Entry[] | null }
  if (Entries?.length === PAGE) throw new Error(`More than ${PAGE} files in one folder of the bucket`)
  return Entries ?? []
}
