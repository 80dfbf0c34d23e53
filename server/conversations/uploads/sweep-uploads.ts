import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { idFloor, isUuid } from '../../../platform/ids.ts'
import type { UploadFiles } from '../../../storage/file-store.ts'
import { KEPT_MS } from './upload-store.ts'

/** Removes uploads older than a day, and those of deleted conversations and projects. */
export async function sweepUploads(db: Db, uploads: UploadFiles, now: number = Date.now()): Promise<void> {
  const projects = await Array.fromAsync(uploads.list())
  const kept = await existing(db, 'projects', projects)
  for (const project of projects) {
    if (kept.has(project)) await sweepProject(db, uploads, project, now)
    else await uploads.removeAll(project)
  }
}

async function sweepProject(db: Db, uploads: UploadFiles, project: string, now: number): Promise<void> {
  const owners = await Array.fromAsync(uploads.list(project))
  const kept = await existing(db, 'conversations', owners)
  for (const owner of owners) {
    const isGone = isUuid(owner) && !kept.has(owner)
    if (isGone) await uploads.removeAll(`${project}/${owner}`)
    else await removeOld(uploads, `${project}/${owner}`, now)
  }
}

async function existing(db: Db, table: 'projects' | 'conversations', names: string[]): Promise<Set<string>> {
  const ids = names.filter(isUuid)
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}) and deleted_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The name of an upload starts with its creation time. */
async function removeOld(uploads: UploadFiles, owner: string, now: number): Promise<void> {
  const oldest = idFloor(now - KEPT_MS)
  const names = await Array.fromAsync(uploads.list(owner), (name) => name.replace(/\..*/, ''))
  for (const name of new Set(names)) if (name < oldest) await uploads.remove(`${owner}/${name}`)
}
