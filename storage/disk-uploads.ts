import { createReadStream } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ignoring } from './file-permissions.ts'
import { isDiskFull, type ReceivedFile, StorageFull, type UploadFiles } from './file-store.ts'
import { type Measured, measureFile } from './measure.ts'

/** `<id>` has the bytes, `<id>.json` the note. Only one machine uses the folder, so the locks of the process prevent conflicts. */
export function createDiskUploads(
  folder: string,
  adopt: (path: string, measured: Measured) => Promise<ReceivedFile>,
): UploadFiles {
  const pathOf = (id: string): string => join(folder, id)
  const noteOf = (id: string): string => `${pathOf(id)}.json`
  /** By a rename: a partly written note would be lost. */
  const writeNote = async (id: string, note: string): Promise<void> => {
    await writeFile(`${noteOf(id)}.new`, note, { mode: 0o600 })
    await rename(`${noteOf(id)}.new`, noteOf(id))
  }
  const create = async (id: string, note: string): Promise<void> => {
    await mkdir(dirname(pathOf(id)), { recursive: true, mode: 0o700 })
    await writeFile(pathOf(id), '', { mode: 0o600 })
    await writeNote(id, note)
  }
  return {
    create: async (id, note) => {
      try {
        // `remove` can remove the empty folder in between.
        await create(id, note).catch((error: NodeJS.ErrnoException) =>
          error.code === 'ENOENT' ? create(id, note) : Promise.reject(error),
        )
      } catch (error) {
        throwStorageFull(error)
      }
    },
    readNote: (id) => readFile(noteOf(id), 'utf8').catch(ignoring('ENOENT', 'ENOTDIR')),
    writeNote: (id, note) => writeNote(id, note).catch(throwStorageFull),
    size: (id) => stat(pathOf(id)).then(({ size }) => size, ignoring('ENOENT')),
    append: async (id, offset, content) => {
      await using file = await open(pathOf(id), 'r+')
      try {
        return await append(file, content, offset)
      } catch (error) {
        return throwStorageFull(error)
      } finally {
        await file.datasync()
      }
    },
    read: async (id) => createReadStream(pathOf(id)),
    adopt: async (id) => {
      await using file = await open(pathOf(id))
      await file.datasync().catch(throwStorageFull)
      return adopt(pathOf(id), await measureFile(file))
    },
    removeBytes: (id) => rm(pathOf(id), { force: true }),
    remove: async (id) => {
      for (const path of [pathOf(id), noteOf(id)]) await rm(path, { force: true })
      // Fails for a folder that is in use.
      await rmdir(dirname(pathOf(id)))
        .then(() => rmdir(dirname(dirname(pathOf(id)))))
        .catch(() => {})
    },
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    list: (prefix = '') => namesIn(join(folder, prefix)),
    bytesIn: (prefix) => bytesIn(join(folder, prefix)),
  }
}

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

/** Other requests create and remove uploads and folders at the same time. */
async function* namesIn(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))
  for await (const { name } of entries ?? []) yield name
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for await (const name of namesIn(folder)) {
    if (name.includes('.')) continue
    const found = await stat(join(folder, name)).catch(ignoring('ENOENT'))
    if (found?.isDirectory()) bytes += await bytesIn(join(folder, name))
    else bytes += found?.size ?? 0
  }
  return bytes
}

function throwStorageFull(error: unknown): never {
  throw isDiskFull(error) ? new StorageFull() : error
}
