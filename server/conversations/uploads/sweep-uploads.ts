import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { idFloor, isUuid } from '../../../platform/ids.ts'
import { KEPT_MS } from './upload-store.ts'

/** Removes uploads older than a day, and those of deleted conversations and projects. */
export async function sweepUploads(db: Db, folder: string, now: number = Date.now()): Promise<void> {
  const projects = await readdir(folder)
  const kept = await existing(db, 'projects', projects)
  for (const project of projects) {
    const path = join(folder, project)
    if (kept.has(project)) await sweepProject(db, path, now)
    else await rm(path, { recursive: true, force: true })
  }
}

async function sweepProject(db: Db, path: string, now: number): Promise<void> {
  const owners = await readdir(path)
  const kept = await existing(db, 'conversations', owners)
  for (const owner of owners) {
    const isGone = isUuid(owner) && !kept.has(owner)
    if (isGone) await rm(join(path, owner), { recursive: true, force: true })
    else await removeOld(join(path, owner), now)
  }
  await removeEmpty(path)
}

async function existing(db: Db, table: 'projects' | 'conversations', names: string[]): Promise<Set<string>> {
  const ids = names.filter(isUuid)
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}) and deleted_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The name of an upload starts with its creation time. */
async function removeOld(owner: string, now: number): Promise<void> {
  const oldest = idFloor(now - KEPT_MS)
  for (const name of await readdir(owner)) if (name < oldest) await rm(join(owner, name), { force: true })
  await removeEmpty(owner)
}

/** Fails harmlessly for a folder that is in use, or that another worker removed. */
const removeEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => {})
