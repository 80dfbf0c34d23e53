import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { idFloor, isUuid } from '../../../platform/ids.ts'
import { KEPT_MS } from './upload-store.ts'

/** Takes away what is older than a day, and at once what belongs to a conversation or a project that was deleted. */
export async function sweepUploads(db: Db, folder: string, now: number = Date.now()): Promise<void> {
  const projects = await readdir(folder)
  const kept = await existing(db, 'projects', projects)
  for (const project of projects) {
    const place = join(folder, project)
    if (kept.has(project)) await sweepProject(db, place, now)
    else await rm(place, { recursive: true, force: true })
  }
}

async function sweepProject(db: Db, place: string, now: number): Promise<void> {
  const owners = await readdir(place)
  const kept = await existing(db, 'conversations', owners)
  for (const owner of owners) {
    const isGone = isUuid(owner) && !kept.has(owner)
    if (isGone) await rm(join(place, owner), { recursive: true, force: true })
    else await removeOld(join(place, owner), now)
  }
  await removeEmpty(place)
}

async function existing(db: Db, table: 'projects' | 'conversations', names: string[]): Promise<Set<string>> {
  const ids = names.filter(isUuid)
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}) and deleted_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** An upload's name tells when it was begun. */
async function removeOld(owner: string, now: number): Promise<void> {
  const oldest = idFloor(now - KEPT_MS)
  for (const name of await readdir(owner)) if (name < oldest) await rm(join(owner, name), { force: true })
  await removeEmpty(owner)
}

/** One that is in use is not empty, and one that somebody else removed is gone. */
const removeEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => {})
