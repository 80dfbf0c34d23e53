import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { FileExists, type FileStore, UploadConflict, type UploadFiles } from '../file-store.ts'
import type { S3Client } from './client.ts'
import { listObjects, namesBelow } from './list-objects.ts'
import { putObject, sha256 } from './put-object.ts'
import { readObject } from './read-object.ts'
import type { ObjectRemover } from './remove-objects.ts'
import { S3Error } from './s3-error.ts'

interface UploadParts {
  client: S3Client
  remover: ObjectRemover
  /** Ends with a slash. */
  root: string
  receive: FileStore['receive']
}

/** Bytes become durable, and visible to other processes, in segments of this size. */
const SEGMENT_BYTES = 4 * 1024 * 1024
/** So that names in the order of offsets are in alphabetical order. */
const DIGITS = 13
const BYTES = '.bytes-'
/** Exists as long as the bytes do, also before the first of them has arrived. */
const MARKER = 'begun'

/**
 * `<id>.json` is the note of an upload, `<id>.bytes-<offset>` a segment of its bytes. A segment is written only where none exists, so
 * two processes that serve the same upload cannot overwrite each other, and no lock between them is needed. An upload has no folder:
 * some servers list empty folders.
 */
export function createS3Uploads({ client, remover, root, receive }: UploadParts): UploadFiles {
  const noteOf = (id: string): string => `${root}${id}.json`
  const bytesOf = (id: string): string => `${root}${id}${BYTES}`
  const put = async (key: string, content: Buffer<ArrayBuffer>, replace: boolean): Promise<void> =>
    putObject(client, { key, digest: (await sha256(content)).toString('hex'), replace }, content)

  async function segmentsOf(id: string): Promise<Segment[] | null> {
    const prefix = bytesOf(id)
    const objects = await Array.fromAsync(listObjects(client, prefix), (page) => page.objects)
    const all = objects.flat().map(({ key, bytes }) => ({ name: key.slice(prefix.length), bytes }))
    return all.some(({ name }) => name === MARKER) ? inSequence(all) : null
  }

  const read = async (id: string): Promise<Readable> => {
    const segments = await segmentsOf(id)
    if (segments === null) throw Object.assign(new Error('The upload has no bytes.'), { code: 'ENOENT' })
    return Readable.from(contentOf(segments.map(({ name }) => `${bytesOf(id)}${name}`)), {
      objectMode: false,
    })
  }
  async function* contentOf(keys: string[]): AsyncGenerator<Buffer> {
    for (const key of keys) yield* (await readObject(client, key)) as AsyncIterable<Buffer>
  }

  return {
    create: async (id, note) => {
      await put(`${bytesOf(id)}${MARKER}`, Buffer.alloc(0), true)
      await put(noteOf(id), Buffer.from(note), true)
    },
    readNote: async (id) => {
      try {
        return await text(await readObject(client, noteOf(id)))
      } catch (error) {
        if (error instanceof S3Error && error.status === 404) return null
        throw error
      }
    },
    writeNote: (id, note) => put(noteOf(id), Buffer.from(note), true),
    size: async (id) => {
      const segments = await segmentsOf(id)
      return segments && sum(segments)
    },
    append: async (id, offset, content) => {
      let end = offset
      const store = async (segment: Buffer<ArrayBuffer>) => {
        const key = `${bytesOf(id)}${String(end).padStart(DIGITS, '0')}`
        await put(key, segment, false).catch(throwConflict)
        end += segment.byteLength
      }
      await inSegments(content, store)
      return end
    },
    read,
    adopt: async (id) => receive(await read(id), Number.POSITIVE_INFINITY),
    removeBytes: (id) => remover.removeAll(bytesOf(id)),
    remove: (id) => remover.removeAll(`${root}${id}.`),
    removeAll: (prefix) => remover.removeAll(`${root}${prefix}/`),
    list: async function* (prefix) {
      for await (const name of namesBelow(client, prefix === undefined ? root : `${root}${prefix}/`))
        if (!name.includes(BYTES)) yield name
        else if (name.endsWith(MARKER)) yield name.slice(0, name.indexOf(BYTES))
    },
    bytesIn: async (prefix) => {
      let bytes = 0
      for await (const { objects } of listObjects(client, `${root}${prefix}/`))
        bytes += sum(objects.filter(({ key }) => !key.endsWith('.json')))
      return bytes
    },
  }
}

interface Segment {
  name: string
  bytes: number
}

const sum = (all: { bytes: number }[]): number => all.reduce((total, { bytes }) => total + bytes, 0)

/** The segments that follow each other without a gap, from the first byte. */
function inSequence(found: Segment[]): Segment[] {
  const byOffset = new Map(found.map((segment) => [Number(segment.name), segment]))
  const segments: Segment[] = []
  for (let next = byOffset.get(0), end = 0; next; next = byOffset.get(end)) {
    segments.push(next)
    end += next.bytes
  }
  return segments
}

/** When the connection breaks, the bytes before are stored too. */
async function inSegments(
  content: Readable,
  store: (segment: Buffer<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  let waiting: Buffer[] = []
  let bytes = 0
  const storeWaiting = async () => {
    const segment = Buffer.concat(waiting)
    waiting = []
    bytes = 0
    if (segment.byteLength > 0) await store(segment)
  }
  try {
    for await (const part of content as AsyncIterable<Buffer>) {
      waiting.push(part)
      bytes += part.byteLength
      if (bytes >= SEGMENT_BYTES) await storeWaiting()
    }
  } finally {
    await storeWaiting()
  }
}

function throwConflict(error: unknown): never {
  throw error instanceof FileExists ? new UploadConflict('Another request has written here.') : error
}
