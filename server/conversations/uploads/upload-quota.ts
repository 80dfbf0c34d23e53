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

const limitReached = (rule: string) =>
  new Problem('limit_reached', { detail: `Limit reached: ${rule}. Finish or cancel one.` })

/** `folder` has a folder per project, which has a folder per owner. */
export function createUploadQuota(folder: string) {
  const held = new LRUCache<string, Promise<number>>({ max: 10_000, ttl: CACHE_MS })
  const bytesOf = (project: string): Promise<number> => {
    const adding = held.get(project) ?? bytesIn(join(folder, project))
    held.set(project, adding, { noUpdateTTL: true })
    return adding
  }
  return {
    /** Throws `limit_reached` when the owner has too many unfinished uploads. */
    async requireUploadSlot(owner: string): Promise<void> {
      const names = await namesIn(join(folder, owner))
      if (names.filter(isData).length >= MAX_UNFINISHED)
        throw limitReached(`at most ${MAX_UNFINISHED} uploads can be unfinished at the same time`)
    },
    /** Throws `limit_reached` when the project's unfinished uploads have used up their bytes. */
    async checkProject(project: string): Promise<void> {
      if ((await bytesOf(project)) >= MAX_PROJECT_BYTES)
        throw limitReached('the unfinished uploads of a project can total at most 50 GiB')
    },
    /** Bytes of the unfinished uploads of these projects. */
    async bytesHeld(projects: string[]): Promise<number> {
      const uploading = new Set(await namesIn(folder)).intersection(new Set(projects))
      return total(await Promise.all(uploading.values().map(bytesOf)))
    },
  }
}

async function bytesIn(project: string): Promise<number> {
  let bytes = 0
  for (const owner of await namesIn(project)) {
    const names = (await namesIn(join(project, owner))).filter(isData)
    bytes += total(await Promise.all(names.map((name) => sizeOf(join(project, owner, name)))))
  }
  return bytes
}

const total = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0)

const isData = (name: string): boolean => !name.includes('.')

/** Other requests create and remove uploads and folders at the same time. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0
