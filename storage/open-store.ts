import { fileURLToPath } from 'node:url'
import { openDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import type { S3Options } from './s3/client.ts'

export type S3Settings = Pick<
  S3Options,
  'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey' | 'onAttempt'
>

type Address = { kind: 'disk'; folder: string } | { kind: 's3'; bucket: string; prefix: string }

/** Reads `file:///folder` or `s3://bucket/prefix`. Throws with a message for the operator. */
export function parseFilesUrl(text: string): Address {
  if (text.startsWith('file:')) return { kind: 'disk', folder: fileURLToPath(text) }
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w./-]*)?$/.exec(text) ?? []
  const prefix = path.replace(/^\/+|\/+$/g, '')
  if (bucket === '' || /\/\/|(^|\/)\.{1,2}(\/|$)/.test(prefix))
    throw new Error('must be a file: URL, or s3://bucket/prefix')
  return { kind: 's3', bucket, prefix }
}

export async function openFileStore(url: string, s3: S3Settings): Promise<FileStore> {
  const address = parseFilesUrl(url)
  if (address.kind === 'disk') return openDiskStore(address.folder)
  // Its HTTP client would delay every start, also without a bucket.
  const { openS3Store } = await import('./s3/s3-store.ts')
  return openS3Store({ ...s3, ...address })
}
