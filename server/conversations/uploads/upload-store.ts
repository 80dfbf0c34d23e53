import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'

/** How long unfinished uploads, and the records of finished ones, are kept. */
export const KEPT_MS = 24 * 3_600_000

/** Marks an upload whose bytes are in a conversation; its `path` is the path of the conversation. */
const RECEIVED = 'received'

/** `<id>` has the bytes, `<id>.json` the metadata. A finished upload keeps a record, for clients that lost the last response. */
export class UploadStore extends FileStore {
  constructor(directory: string) {
    super({ directory, expirationPeriodInMilliseconds: KEPT_MS })
  }

  pathOf(id: string): string {
    return join(this.directory, id)
  }

  async has(id: string): Promise<boolean> {
    return (await this.configstore.get(id)) !== undefined
  }

  override async getUpload(id: string): Promise<Upload> {
    const settled = await this.settled(id)
    // It can be finished between the two reads.
    return (
      settled ?? super.getUpload(id).catch(async (gone) => (await this.settled(id)) ?? Promise.reject(gone))
    )
  }

  private async settled(id: string): Promise<Upload | null> {
    const note = await this.configstore.get(id)
    return note && receivedAs(note) !== null ? Object.assign(new Upload({ id, offset: 0 }), note) : null
  }

  /** Bytes are durable when this resolves or rejects: HEAD must not report bytes that a power failure can lose. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    if (receivedAs(await this.getUpload(id)) !== null) return offset
    await using file = await open(this.pathOf(id), 'r+')
    try {
      return await append(file, content, offset)
    } finally {
      await file.datasync()
    }
  }

  /** Removes personal data, which erasing the conversation would not reach. By a rename: a partly written record would be lost. */
  async settle({ id, size, creation_date }: Upload, address: string): Promise<void> {
    const note = `${this.pathOf(id)}.json`
    const settled = { id, size, offset: size, creation_date, storage: { type: RECEIVED, path: address } }
    await writeFile(`${note}.new`, JSON.stringify(settled))
    await rename(`${note}.new`, note)
    await rm(this.pathOf(id), { force: true })
  }
}

/** The path of the conversation that has the bytes; null for an unfinished upload. */
export const receivedAs = ({ storage }: Upload): string | null =>
  storage?.type === RECEIVED ? storage.path : null

async function append(file: FileHandle, content: Readable, offset: number): Promise<number> {
  let end = offset
  for await (const part of content as AsyncIterable<Buffer>) {
    for (let done = 0; done < part.byteLength; ) {
      const { bytesWritten } = await file.write(part, done, part.byteLength - done, end)
      done += bytesWritten
      end += bytesWritten
    }
  }
  return end
}
