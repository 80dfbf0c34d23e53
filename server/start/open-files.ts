import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { openDiskStore, protectDiskStore } from '../../storage/disk-store.ts'
import { type FileStore, StorageUnavailable } from '../../storage/file-store.ts'
import { layerStores } from '../../storage/layered-store.ts'
import { openFileStore, parseFilesUrl, type S3Settings } from '../../storage/open-store.ts'
import { requireExclusiveWrites } from '../../storage/require-exclusive.ts'
import { S3Error } from '../../storage/s3/s3-error.ts'
import type { Settings } from '../config.ts'
import type { Shutdown } from './shutdown.ts'

interface FilesContext {
  settings: Settings
  dataDir: string
  log: Logger
  shutdown: Shutdown
}

export interface OpenedFiles {
  files: FileStore
  /** Counts the requests of an S3 store from now on. */
  observe(metrics: Metrics): void
}

export async function openFiles(self: FilesContext): Promise<OpenedFiles> {
  const { settings, dataDir, shutdown } = self
  let count: NonNullable<S3Settings['onAttempt']> = () => {}
  const s3: S3Settings = {
    endpoint: settings.S3_ENDPOINT ?? null,
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
    onAttempt: (...args) => count(...args),
  }
  const open = async (url: string | null): Promise<FileStore> => {
    const address = url === null ? null : parseFilesUrl(url)
    if (url !== null && address?.kind === 's3') return openBucket(await openFileStore(url, s3), self)
    return openFolder(address?.kind === 'disk' ? address.folder : join(dataDir, 'files'), self)
  }
  const current = await open(settings.FILES_URL ?? null)
  const previous = settings.FILES_PREVIOUS_URL ? await open(settings.FILES_PREVIOUS_URL) : null
  const files = previous ? layerStores(current, previous) : current
  shutdown.add('files', () => files.close())
  return {
    files,
    observe: (metrics) => {
      count = countRequests(metrics)
    },
  }
}

function countRequests({ counter, histogram }: Metrics): NonNullable<S3Settings['onAttempt']> {
  const requests = counter('parley_s3_requests_total', 'Requests to the S3 server, by method and outcome', [
    'method',
    'outcome',
  ])
  const duration = histogram(
    'parley_s3_request_duration_seconds',
    'Time until the S3 server responds',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  return (method, outcome, seconds) => {
    requests([method, outcome])
    duration(seconds)
  }
}

/** Waits for a bucket that cannot be reached. Wrong settings end the start. */
async function openBucket(files: FileStore, { log }: FilesContext): Promise<FileStore> {
  for (let attempt = 1; ; attempt++) {
    try {
      await files.check()
      await requireExclusiveWrites(files)
      return files
    } catch (err) {
      if (err instanceof S3Error) throw new StartupError(explain(err))
      if (!(err instanceof StorageUnavailable)) throw err
      log.warn({ err, attempt, component: 'files' }, 'The S3 server is unreachable; retrying in 2 s')
      await pause(2_000)
    }
  }
}

function explain({ status, code }: S3Error): string {
  if (code === 'NoSuchBucket' || status === 404)
    return 'FILES_URL: the bucket does not exist. Create it first.'
  if (status === 403) return 'S3_ACCESS_KEY_ID: the S3 server denies access to the bucket with these keys.'
  return `FILES_URL: the S3 server responded with ${status} ${code}. Check S3_ENDPOINT and S3_REGION.`
}

/** Repairs permissions that earlier versions left too open, while the service already runs. */
async function openFolder(folder: string, { log, shutdown }: FilesContext): Promise<FileStore> {
  const repair = await protectDiskStore(folder).catch((err: unknown) => {
    log.warn(
      { err, component: 'files' },
      'Could not make the file store private; other accounts might be able to read it',
    )
    return null
  })
  const files = await openDiskStore(folder)
  const stopping = new AbortController()
  const repairing = repair?.({ signal: stopping.signal, log }).catch((err: unknown) =>
    log.warn({ err, component: 'files' }, 'Could not repair file permissions; retrying at the next start'),
  )
  shutdown.add('file permissions', async () => {
    stopping.abort()
    await repairing
  })
  return files
}
