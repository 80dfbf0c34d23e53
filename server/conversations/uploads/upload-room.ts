import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../api/problems.ts'

/** Of one conversation, or of one host in a project. */
const MOST_UNDER_WAY = 20
/** What a project's unfinished uploads may hold together: the quota counts only what has become part of a conversation. */
const PROJECT_BYTES = 50 * 1024 ** 3
/** Added up this often; a walk over some hundred files takes a few milliseconds. */
const FRESH_MS = 5_000

const MAX_UNDER_WAY_TEXT = `Limit reached: at most ${MOST_UNDER_WAY} uploads can be unfinished at the same time. Finish or delete one.`
const PROJECT_BYTES_TEXT =
  'Limit reached: the unfinished uploads of a project can hold at most 50 GiB. Finish or delete one.'

export interface UploadRoom {
  /** Refuses one more upload of those who have enough of them under way. */
  requirePlace(owner: string): Promise<void>
  /** Refuses more bytes when the project's unfinished uploads hold as much as they may. */
  requireRoom(project: string): Promise<void>
  /** What the unfinished uploads of these projects hold together. */
  bytesHeld(projects: string[]): Promise<number>
}

/** `folder` holds a folder for each project, with one for each owner in it. */
export function createUploadRoom(folder: string): UploadRoom {
  const held = new LRUCache<string, Promise<number>>({ max: 10_000, ttl: FRESH_MS })
  const bytesOf = (project: string): Promise<number> => {
    const adding = held.get(project) ?? bytesIn(join(folder, project))
    held.set(project, adding, { noUpdateTTL: true })
    return adding
  }
  return {
    async requirePlace(owner) {
      const names = await namesIn(join(folder, owner))
      if (names.filter(isData).length >= MOST_UNDER_WAY)
        throw new Problem('limit_reached', { detail: MAX_UNDER_WAY_TEXT })
    },
    async requireRoom(project) {
      if ((await bytesOf(project)) >= PROJECT_BYTES)
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

/** Uploads and their folders come and go while one looks. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
