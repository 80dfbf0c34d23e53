import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../api/problems.ts'

/** Unfinished uploads of one conversation, or of one host in a project. */
const MAX_UNFINISHED = 20
/** Bytes of a project's unfinished uploads. The project quota counts only finished ones. */
const MAX_PROJECT_BYTES = 50 * 1024 ** 3
/** How long a sum is cached; adding up some hundred files takes a few milliseconds. */
const CACHE_MS = 5_000

const MAX_UNFINISHED_TEXT = `Limit reached: you can have at most ${MAX_UNFINISHED} unfinished uploads. Finish or delete one.`
const PROJECT_BYTES_TEXT =
  'Limit reached: the unfinished uploads of a project can total at most 50 GiB. Finish or delete one.'

export interface UploadQuota {
  /** Throws `limit_reached` when the owner has too many unfinished uploads. */
  requireUploadSlot(owner: string): Promise<void>
  /** Throws `limit_reached` when the project's unfinished uploads have used up their bytes. */
  requireRoom(project: string): Promise<void>
  /** Bytes of the unfinished uploads of these projects. */
  bytesHeld(projects: string[]): Promise<number>
}

/** `folder` has a folder per project, which has a folder per owner. */
export function createUploadQuota(folder: string): UploadQuota {
  const held = new LRUCache<string, Promise<number>>({ max: 10_000, ttl: CACHE_MS })
  const bytesOf = (project: string): Promise<number> => {
    const adding = held.get(project) ?? bytesIn(join(folder, project))
    held.set(project, adding, { noUpdateTTL: true })
    return adding
  }
  return {
    async requireUploadSlot(owner) {
      const names = await namesIn(join(folder, owner))
      if (names.filter(isData).length >= MAX_UNFINISHED)
        throw new Problem('limit_reached', { detail: MAX_UNFINISHED_TEXT })
    },
    async requireRoom(project) {
      if ((await bytesOf(project)) >= MAX_PROJECT_BYTES)
        throw new Problem('limit_reached', { detail: PROJECT_BYTES_TEXT })
    },
    async bytesHeld(projects) {
      const wanted = new Set(projects)
      const uploading = (await namesIn(folder)).filter((name) => wanted.has(name))
      const sizes = await Promise.all(uploading.map(bytesOf))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
}

async function bytesIn(project: string): Promise<number> {
  let bytes = 0
  for (const owner of await namesIn(project)) {
    const names = (await namesIn(join(project, owner))).filter(isData)
    const sizes = await Promise.all(names.map((name) => sizeOf(join(project, owner, name))))
    bytes += sizes.reduce((sum, size) => sum + size, 0)
  }
  return bytes
}

const isData = (name: string): boolean => !name.includes('.')

/** Other requests create and remove uploads and folders at the same time. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
