import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limitConcurrency } from '../../platform/concurrency-limit.ts'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import { type FileStore, type ReceivedFile, requireKey } from '../file-store.ts'
import { createS3Client, type S3Client, type S3Options } from './client.ts'
import { listObjects, listUnfinished, namesBelow } from './list-objects.ts'
import { abortUpload, PART_BYTES, putInParts, putObject } from './put-object.ts'
import { readObject } from './read-object.ts'
import { createRemover } from './remove-objects.ts'
import { S3Error } from './s3-error.ts'
import { createS3Uploads } from './s3-uploads.ts'
import { createSpool, type SpooledFile } from './spool.ts'

export interface S3StoreOptions extends S3Options {
  /** Before all keys, without slashes at its ends; can be empty. */
  prefix: string
}

const PARALLEL_DOWNLOADS = 8
/** Each holds up to three parts of 8 MiB. */
const PARALLEL_LARGE_FILES = 4
/** A day, because another process can be sending parts now. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

/** Stores files as objects in a bucket, which several machines can share. */
export function openS3Store({ prefix, ...options }: S3StoreOptions): FileStore {
  const client = createS3Client(options)
  const root = prefix === '' ? '' : `${prefix}/`
  const pathOf = (key: string): string => {
    requireKey(key)
    return `${root}files/${key}`
  }
  const spool = createSpool()
  const remover = createRemover(client)
  const large = limitConcurrency(PARALLEL_LARGE_FILES)
  const receivedFile = (file: SpooledFile): ReceivedFile => {
    let isDiscarded = false
    return {
      ...file,
      keep: async (key, { replace = false } = {}) => {
        if (isDiscarded) throw new Error('The file was discarded.')
        await keep(client, pathOf(key), file, replace, large)
      },
      discard: () => {
        isDiscarded = true
        return file.discard()
      },
    }
  }
  const receive: FileStore['receive'] = async (...args) => receivedFile(await spool.receive(...args))
  const store: FileStore = {
    isRemote: true,
    receive,
    uploads: createS3Uploads({ client, remover, root: `${root}uploads/`, receive }),
    size: (key) => sizeOf(client, pathOf(key)),
    read: async (key, range) => readObject(client, pathOf(key), range),
    withPaths: async (keys, use) => {
      await using temp = await createTempDirectory()
      const limited = limitConcurrency(PARALLEL_DOWNLOADS)
      const downloads = keys.map((key, n) =>
        limited(async () => {
          const path = join(temp.path, String(n))
          const content = await store.read(key).catch(ignoreMissing)
          // Like on disk, opening the path of a missing file fails with ENOENT.
          if (content) await pipeline(content, createWriteStream(path, { mode: 0o600 }))
          return path
        }),
      )
      const results = await Promise.allSettled(downloads)
      // Awaited, since the temp directory is removed on return.
      return await use(
        results.map((result) => (result.status === 'fulfilled' ? result.value : throwReason(result))),
      )
    },
    remove: async (key) => remover.remove(pathOf(key)),
    removeAll: async (prefix) => remover.removeAll(`${pathOf(prefix)}/`),
    list: (prefix) => namesBelow(client, `${pathOf(prefix)}/`),
    walk: async function* () {
      const top = `${root}files/`
      for await (const { objects } of listObjects(client, top))
        for (const { key, bytes } of objects) yield { key: key.slice(top.length), bytes }
    },
    removeAbandoned: () => removeAbandoned(client, root),
    check: async () =>
      void (await client.text({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix: root } })),
    close: async () => {
      await spool.close()
      await client.close()
    },
  }
  return store
}

function ignoreMissing(error: unknown): null {
  if (error instanceof S3Error && error.status === 404) return null
  throw error
}

const throwReason = ({ reason }: PromiseRejectedResult): never => {
  throw reason
}

/** Resolves when the server has confirmed the whole object. */
async function keep(
  client: S3Client,
  key: string,
  file: SpooledFile,
  replace: boolean,
  large: ReturnType<typeof limitConcurrency>,
): Promise<void> {
  const put = { key, digest: file.digest.toString('hex'), replace }
  if (file.bytes > PART_BYTES) await large(() => putInParts(client, put, file.bytes, file.readPart))
  else await putObject(client, put, await file.readPart(0, file.bytes))
}

async function sizeOf(client: S3Client, key: string): Promise<number | null> {
  const { statusCode, headers, body } = await client.send({ method: 'HEAD', key, accepts: [404] })
  await body.dump()
  return statusCode === 404 ? null : Number(headers['content-length'])
}

async function removeAbandoned(client: S3Client, root: string): Promise<void> {
  const limit = Date.now() - ABANDONED_AFTER_MS
  for await (const { key, uploadId, startedAt } of listUnfinished(client, root))
    if (startedAt < limit) await abortUpload(client, key, uploadId)
}
