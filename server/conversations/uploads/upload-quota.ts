import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import type { UploadFiles } from '../../../storage/file-store.ts'
import { Problem } from '../../api/problems.ts'

/** Unfinished uploads of one conversation, or of one host in a project. */
const MAX_UNFINISHED = 20
/** Bytes of a project's unfinished uploads. The project quota counts only finished ones. */
const MAX_PROJECT_BYTES = 50 * 1024 ** 3
/** How long a sum is cached; adding up some hundred files takes a few milliseconds. */
const CACHE_MS = 5_000

const limitReached = (rule: string) =>
  new Problem('limit_reached', { detail: `Limit reached: ${rule}. Finish or cancel one.` })

export function createUploadQuota(uploads: UploadFiles) {
  const held = createBoundedCache<string, Promise<number>>({ max: 10_000, ttl: CACHE_MS })
  const bytesOf = (project: string): Promise<number> => {
    const adding = held.get(project) ?? uploads.bytesIn(project)
    held.set(project, adding, { noUpdateTTL: true })
    return adding
  }
  return {
    /** Throws `limit_reached` when the owner has too many unfinished uploads. */
    async requireUploadSlot(owner: string): Promise<void> {
      const names = await Array.fromAsync(uploads.list(owner))
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
      const uploading = new Set(await Array.fromAsync(uploads.list())).intersection(new Set(projects))
      return total(await Promise.all(uploading.values().map(bytesOf)))
    },
  }
}

const total = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0)

const isData = (name: string): boolean => !name.includes('.')
