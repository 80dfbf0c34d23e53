import { Readable } from 'node:stream'
import { type ByteRange, StorageUnavailable } from '../file-store.ts'
import type { S3Client, S3Response } from './client.ts'
import { S3Error } from './s3-error.ts'

/** Broken responses in a row, without a byte in between. */
const MAX_BREAKS = 4

/**
 * Reads an object. After a connection that breaks in the body, it continues with the next byte of the same object: `If-Match`
 * prevents a mix with an object that replaced it.
 */
export async function readObject(client: S3Client, key: string, range?: ByteRange): Promise<Readable> {
  const first = range?.first ?? 0
  // An empty object has no satisfiable range.
  const opened = await client.send({ method: 'GET', key, headers: range ? rangeHeader(range) : {} })
  const length = Number(opened.headers['content-length'])
  const etag = String(opened.headers['etag'])
  const last = first + length - 1

  const resume = (position: number): Promise<S3Response> =>
    client.send({
      method: 'GET',
      key,
      headers: { ...rangeHeader({ first: position, last }), 'if-match': etag },
    })

  async function* content(): AsyncGenerator<Buffer> {
    let position = first
    let response: S3Response | null = opened
    for (let breaks = 0; position <= last; response = null) {
      const before = position
      try {
        response ??= await resume(position)
        for await (const part of response.body as AsyncIterable<Buffer>) {
          position += part.byteLength
          yield part
        }
        if (position > last) return
      } catch (error) {
        if (error instanceof S3Error || error instanceof StorageUnavailable) throw error
        breaks = position > before ? 1 : breaks + 1
        if (breaks === MAX_BREAKS)
          throw new StorageUnavailable(
            'The S3 server repeatedly closed the connection before the response was complete',
            { cause: error },
          )
      }
    }
    await opened.body.dump()
  }
  return Readable.from(content(), { objectMode: false, highWaterMark: 64 * 1024 })
}

const rangeHeader = ({ first, last }: ByteRange) => ({ range: `bytes=${first}-${last}` })
