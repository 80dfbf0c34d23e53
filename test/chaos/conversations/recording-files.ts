import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fixtures } from '../framework/fixtures.ts'
import { mountSmallDisk } from './small-disk.ts'

/** The files of each conversation, by name. */
export type StoredFiles = Map<string, Map<string, Buffer>>

/** The storage of recordings that the service uses, and how it fails. */
export interface RecordingFiles {
  settings: Record<string, string>
  /** Null where it cannot fail. */
  fault: StorageFault | null
  /** Reads all files without code of the service. */
  read(): Promise<StoredFiles>
}

export interface StorageFault {
  kind: string
  /** The beginning of the response that participants get while it fails: status and code. */
  response: string
  begin(): Promise<void>
  end(): Promise<void>
}

/** A folder on a small disk, which can be full. */
export async function openDisk(fixtures: Fixtures, megabytes: number): Promise<RecordingFiles> {
  const disk = await mountSmallDisk(join(fixtures.folder, 'disk'), megabytes)
  fixtures.onStop(() => disk.unmount())
  return {
    settings: { FILES_URL: pathToFileURL(disk.folder).href },
    fault: disk.canFill
      ? { kind: 'disk full', response: '507', begin: () => disk.fill(), end: () => disk.free() }
      : null,
    read: () => readFolder(join(disk.folder, 'files/conversations')),
  }
}

/** `folder` has the recordings of a file store on disk. */
export async function readFolder(folder: string): Promise<StoredFiles> {
  const found: StoredFiles = new Map()
  // The first chunk creates the folder.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const id = entry.parentPath.split('/').at(-1) as string
    const files = found.get(id) ?? new Map<string, Buffer>()
    found.set(id, files.set(entry.name, await readFile(join(entry.parentPath, entry.name))))
  }
  return found
}
