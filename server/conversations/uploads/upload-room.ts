import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../kernel/problems.ts'

/** Of one conversation, or of one host in a project. */
const MOST_UNDER_WAY = 20
/** What a project's unfinished uploads may hold together: the quota counts only what has become part of a conversation. */
const PROJECT_BYTES = 50 * 1024 ** 3
/** Added up this often; a walk over some hundred files takes a few milliseconds. */
const FRESH_MS = 5_000

export interface UploadRoom {
  /** Refuses one more upload of those who have enough of them under way. */
  requirePlace(owner: string): Promise<void>
  /** Refuses more bytes when the project's unfinished uploads hold as much as they may. */
  requireRoom(project: string): Promise<void>
}

/** `folder` holds a folder for each project, with one for each owner in it. */
export function createUploadRoom(folder: string): UploadRoom {
  const held = new LRUCache<string, Promise<number>>({ max: 10_000, ttl: FRESH_MS })
  return {
    async requirePlace(owner) {
      const names = await namesIn(join(folder, owner))
      if (names.filter(isData).length >= MOST_UNDER_WAY)
        throw new Problem('limit_reached', { detail: 'Too many uploads are under way: finish or end one.' })
    },
    async requireRoom(project) {
      const adding = held.get(project) ?? bytesIn(join(folder, project))
      held.set(project, adding, { noUpdateTTL: true })
      if ((await adding) >= PROJECT_BYTES)
        throw new Problem('limit_reached', { detail: 'The uploads under way hold as much as they may.' })
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
