import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StorageUnavailable } from '../file-store.ts'
import type { S3Client } from './client.ts'
import { listObjects, listUnfinished, listVersions, type ObjectVersion } from './list-objects.ts'
import { abortUpload } from './put-object.ts'
import { S3Error } from './s3-error.ts'
import { elements, escapeXml, textOf } from './xml.ts'

type Removed = Pick<ObjectVersion, 'key'> & Partial<ObjectVersion>

export interface ObjectRemover {
  remove(key: string): Promise<void>
  removeAll(prefix: string): Promise<void>
}

/** The most that one request can remove. */
const BATCH_SIZE = 1_000
const ATTEMPTS = 4

/**
 * Removes objects with all their versions. Whether the bucket keeps versions shows at the first removal: it then leaves a delete
 * marker. So no permission to read the configuration of the bucket is needed, and versioning can be enabled at any time.
 */
export function createRemover(client: S3Client): ObjectRemover {
  let isVersioned = false

  async function removeVersions(prefix: string, isWanted: (key: string) => boolean): Promise<void> {
    for await (const versions of listVersions(client, prefix)) {
      const wanted = versions.filter(({ key }) => isWanted(key))
      for (let n = 0; n < wanted.length; n += BATCH_SIZE)
        await removeBatch(client, wanted.slice(n, n + BATCH_SIZE))
    }
  }

  return {
    async remove(key) {
      if (!isVersioned) {
        const { headers, body } = await client.send({ method: 'DELETE', key, accepts: [404] })
        await body.dump()
        isVersioned = headers['x-amz-delete-marker'] === 'true'
      }
      if (isVersioned) await removeVersions(key, (found) => found === key)
    },

    async removeAll(prefix) {
      if (!isVersioned)
        for await (const { objects } of listObjects(client, prefix))
          if (objects.length > 0 && (await removeBatch(client, objects))) isVersioned = true
      if (isVersioned) await removeVersions(prefix, () => true)
      // They contain recordings, too.
      for await (const { key, uploadId } of listUnfinished(client, prefix))
        await abortUpload(client, key, uploadId)
    },
  }
}

/** Retries the objects that the server could not remove. Returns whether the bucket keeps versions. */
async function removeBatch(client: S3Client, objects: Removed[]): Promise<boolean> {
  let rest = objects
  let isVersioned = false
  for (let attempts = 1; ; attempts++) {
    const xml = await requestRemoval(client, rest)
    isVersioned ||= elements(xml, 'DeleteMarker').includes('true')
    const failures = elements(xml, 'Error')
    if (failures.length === 0) return isVersioned
    const failed = new Set(failures.map((item) => `${textOf(item, 'Key')}\n${textOf(item, 'VersionId')}`))
    const code = textOf(failures[0] ?? '', 'Code')
    if (code === 'AccessDenied') throw new S3Error({ method: 'POST', key: '' }, 200, code)
    if (attempts === ATTEMPTS)
      throw new StorageUnavailable(`The S3 server could not remove ${failures.length} objects: ${code}`)
    rest = rest.filter(({ key, versionId = '' }) => failed.has(`${key}\n${versionId}`))
    await pause(100 * 2 ** attempts)
  }
}

async function requestRemoval(client: S3Client, objects: Removed[]): Promise<string> {
  const items = objects.map(
    ({ key, versionId }) =>
      `<Object><Key>${escapeXml(key)}</Key>${versionId ? `<VersionId>${escapeXml(versionId)}</VersionId>` : ''}</Object>`,
  )
  const body = Buffer.from(`<Delete>${items.join('')}</Delete>`)
  // Amazon S3 requires it here.
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  return client.text({ method: 'POST', query: { delete: '' }, headers, body })
}
