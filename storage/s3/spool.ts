import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import { isDiskFull, type ReceiveOptions, StorageFull } from '../file-store.ts'
import { createFileWriter, type OpenFile } from '../file-writer.ts'
import { type Measured, startMeasure } from '../measure.ts'
import { pump } from '../pump.ts'

/** A chunk of speech has 20 to 120 KiB. Larger files are written to the temp directory, so that 500 of them do not fill the memory. */
const MEMORY_BYTES = 1024 * 1024

/** The bytes of a file, in memory or in a temporary file, until it is stored under its key. */
export interface SpooledFile extends Measured {
  readPart(offset: number, length: number): Promise<Buffer<ArrayBuffer>>
  discard(): Promise<void>
}

export interface Spool {
  receive(content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<SpooledFile>
  close(): Promise<void>
}

export function createSpool(): Spool {
  const writer = createFileWriter()
  let folder: ReturnType<typeof createTempDirectory> | null = null
  return {
    async receive(content, maxBytes, options = {}) {
      folder ??= createTempDirectory()
      const path = join((await folder).path, randomUUID())
      let held: Uint8Array[] = []
      let bytes = 0
      let file: OpenFile | null = null
      try {
        const measured = await pump(content, maxBytes, async (parts, isEnd) => {
          for (const part of parts) bytes += part.byteLength
          if (bytes > MEMORY_BYTES) file ??= writer.open(path, options)
          const all = [...held, ...parts]
          held = file ? [] : all
          return file?.write(all, isEnd)
        })
        return measured ? inFile(path, measured) : inMemory(Buffer.concat(held), options)
      } catch (error) {
        await (file as OpenFile | null)?.abandon()
        await rm(path, { force: true })
        throw isDiskFull(error) ? new StorageFull() : error
      }
    },
    close: async () => (await folder)?.[Symbol.asyncDispose](),
  }
}

function inMemory(content: Buffer<ArrayBuffer>, options: ReceiveOptions): SpooledFile {
  const measure = startMeasure(options)
  measure.add(content)
  return {
    ...measure.result(),
    readPart: async (offset, length) => content.subarray(offset, offset + length),
    discard: async () => {},
  }
}

const inFile = (path: string, measured: Measured): SpooledFile => ({
  ...measured,
  readPart: async (offset, length) => {
    await using file = await open(path)
    const part = Buffer.alloc(length)
    const { bytesRead } = await file.read(part, 0, length, offset)
    if (bytesRead < length) throw new Error('A temporary file is shorter than it was.')
    return part
  },
  discard: () => rm(path, { force: true }),
})
