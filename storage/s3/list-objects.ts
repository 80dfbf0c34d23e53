import type { S3Client } from './client.ts'
import { elements, textOf } from './xml.ts'

interface ListedObject {
  key: string
  bytes: number
}

interface ListedPage {
  objects: ListedObject[]
  /** The parts of keys between the prefix and the next slash, if `delimiter` is set. */
  folders: string[]
}

/** Objects whose key begins with the prefix, in the order of their keys. */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  options: { delimiter?: string } = {},
): AsyncIterable<ListedPage> {
  let token = ''
  do {
    const xml = await client.text({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...options,
        ...(token && { 'continuation-token': token }),
      },
    })
    yield {
      // Some servers list folders as objects.
      objects: elements(xml, 'Contents')
        .map((item) => ({ key: keyIn(item), bytes: Number(textOf(item, 'Size')) }))
        .filter(({ key }) => !key.endsWith('/')),
      folders: elements(xml, 'CommonPrefixes').map((item) =>
        decode(textOf(item, 'Prefix')).slice(prefix.length, -1),
      ),
    }
    token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : ''
  } while (token)
}

/** The names of objects and folders directly below a prefix that ends with a slash. */
export async function* namesBelow(client: S3Client, prefix: string): AsyncIterable<string> {
  for await (const { objects, folders } of listObjects(client, prefix, { delimiter: '/' }))
    yield* [...objects.map(({ key }) => key.slice(prefix.length)), ...folders]
}

export interface ObjectVersion {
  key: string
  versionId: string
}

/** Every version and delete marker whose key begins with the prefix. */
export async function* listVersions(client: S3Client, prefix: string): AsyncIterable<ObjectVersion[]> {
  let next: Record<string, string> | null = {}
  while (next) {
    const query = { versions: '', 'encoding-type': 'url', prefix, ...next }
    const xml = await client.text({ method: 'GET', query })
    yield [...elements(xml, 'Version'), ...elements(xml, 'DeleteMarker')].map((item) => ({
      key: keyIn(item),
      versionId: textOf(item, 'VersionId'),
    }))
    next = nextOf(xml, { 'key-marker': 'NextKeyMarker', 'version-id-marker': 'NextVersionIdMarker' })
  }
}

interface UnfinishedUpload {
  key: string
  uploadId: string
  startedAt: number
}

/** Uploads in parts that were neither completed nor aborted. */
export async function* listUnfinished(client: S3Client, prefix: string): AsyncIterable<UnfinishedUpload> {
  let next: Record<string, string> | null = {}
  while (next) {
    const xml = await client.text({
      method: 'GET',
      query: { uploads: '', 'encoding-type': 'url', prefix, ...next },
    })
    for (const item of elements(xml, 'Upload'))
      yield {
        key: keyIn(item),
        uploadId: textOf(item, 'UploadId'),
        startedAt: Date.parse(textOf(item, 'Initiated')),
      }
    next = nextOf(xml, { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' })
  }
}

function nextOf(xml: string, markers: Record<string, string>): Record<string, string> | null {
  if (textOf(xml, 'IsTruncated') !== 'true') return null
  const found = Object.entries(markers).map(([name, element]) => {
    const marker = textOf(xml, element)
    return [name, name === 'key-marker' ? decode(marker) : marker]
  })
  return Object.fromEntries(found.filter(([, marker]) => marker !== ''))
}

const keyIn = (item: string): string => decode(textOf(item, 'Key'))
const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
