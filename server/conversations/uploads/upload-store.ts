import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'

/** Unfinished uploads, and the memory of finished ones, are kept so long. */
export const KEPT_MS = 24 * 3_600_000

/** What marks an upload whose bytes went to a conversation; its `path` is the conversation's address. */
const RECEIVED = 'received'

/**
 * Uploads under way: `<id>` holds the bytes that came, `<id>.json` what was said about them. A finished one keeps its note,
 * so that a client which lost the last answer learns that all is well instead of sending everything again.
 */
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
    if (settled) return settled
    return super.getUpload(id).catch(async (gone: unknown) => {
      // Its bytes may have gone to a conversation between the two looks.
      const late = await this.settled(id)
      if (!late) throw gone
      return late
    })
  }

  private async settled(id: string): Promise<Upload | null> {
    const note = await this.configstore.get(id)
    return note && receivedAs(note) !== null ? Object.assign(new Upload({ id, offset: 0 }), note) : null
  }

  /** Durable when it resolves, and also what came before the line broke: HEAD must not promise what a power cut takes. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    if (receivedAs(await this.getUpload(id)) !== null) return offset
    await using file = await open(this.pathOf(id), 'r+')
    try {
      return await append(file, content, offset)
    } finally {
      await file.datasync()
    }
  }

  /**
   * The bytes are elsewhere now, and so is what was said of them: erasing the conversation must not leave it here. By a
   * rename, since a note that is half-written would be an upload that never was.
   */
  async settle({ id, size, creation_date }: Upload, address: string): Promise<void> {
    const note = `${this.pathOf(id)}.json`
    const settled = { id, size, offset: size, creation_date, storage: { type: RECEIVED, path: address } }
    await writeFile(`${note}.new`, JSON.stringify(settled))
    await rename(`${note}.new`, note)
    await rm(this.pathOf(id), { force: true })
  }
}

/** The address of the conversation that has the bytes; null as long as none has. */
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
