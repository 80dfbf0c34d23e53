import type pg from 'pg'
import { folderOf } from '../../../server/conversations/chunks/file-keys.ts'
import { projectFolder } from '../../../server/tenancy/index.ts'
import type { FileStore, StoredFile } from '../../../storage/file-store.ts'
import { moveFiles } from '../../../storage/move-files.ts'
import { reach } from './steps.ts'

/** The folders of an organisation in a file store. */
export interface Folders {
  projects: string[]
  conversations: string[]
}

/** Reads the ids from the cell that has the organisation's rows. */
export async function readFolders(client: pg.Client, organisation: string): Promise<Folders> {
  const { rows } = await client.query<Folders>(
    `with project as (
       select p.id from projects p join workspaces w on w.id = p.workspace_id where w.organisation_id = $1
     )
     select array(select id::text from project) as projects,
       array(select c.id::text from conversations c where c.project_id in (select id from project)) as conversations`,
    [organisation],
  )
  return rows[0] as Folders
}

const pathsOf = ({ projects, conversations }: Folders): string[] => [
  ...projects.map(projectFolder),
  ...conversations.map(folderOf),
]

async function* filesIn(store: FileStore, folders: Folders): AsyncIterable<StoredFile> {
  for (const path of pathsOf(folders))
    for await (const name of store.list(path)) {
      const bytes = await store.size(`${path}/${name}`)
      if (bytes !== null) yield { key: `${path}/${name}`, bytes }
    }
}

/** Copies the files that the target does not have, each verified by its digest. Returns their number. */
export async function copyFiles(from: FileStore, to: FileStore, folders: Folders): Promise<number> {
  const options = { remove: false, verify: false, onProgress: () => {} }
  const progress = await moveFiles({ from: { ...from, walk: () => filesIn(from, folders) }, to, ...options })
  return progress.copied
}

/** The conversations whose joined audio can have been replaced by another file of the same name since then. */
export async function readRejoined(
  client: pg.Client,
  { conversations }: Folders,
  since: string,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct data ->> 'conversation_id' as id from jobs.job
     where name = 'join_audio' and data ->> 'conversation_id' = any($1)
       and coalesce(completed_on, started_on, created_on) >= $2::timestamptz`,
    [conversations, since],
  )
  return rows.map(({ id }) => id)
}

const REPLACEABLE = /\/(whole|peaks)-\d+$/

/** Gives the target the files of the source, and no others. Called when the source no longer changes them. */
export async function completeFiles(
  from: FileStore,
  to: FileStore,
  folders: Folders,
  rejoined: readonly string[],
): Promise<number> {
  for await (const { key } of filesIn(to, { projects: [], conversations: [...rejoined] }))
    if (REPLACEABLE.test(key)) await to.remove(key)
  // Files that were erased since they were copied.
  for await (const { key } of filesIn(to, folders)) if ((await from.size(key)) === null) await to.remove(key)
  const copied = await copyFiles(from, to, folders)
  await copyErasureNotes(from, to, folders)
  for (const project of folders.projects) await copyUploads(from, to, project)
  return copied
}

const notesOf = (folders: Folders): string[] => folders.conversations.map((id) => `erasures/${id}`)

/** The notes stay at the source as well: a backup of its database can bring the conversations back. */
async function copyErasureNotes(from: FileStore, to: FileStore, folders: Folders): Promise<void> {
  for (const key of notesOf(folders)) {
    if ((await from.size(key)) === null || (await to.size(key)) !== null) continue
    const note = await to.receive(await from.read(key), 1_000)
    await note.keep(key)
    await note.discard()
  }
}

/** Copies the files that have arrived in part. */
async function copyUploads(from: FileStore, to: FileStore, project: string): Promise<void> {
  await to.uploads.removeAll(project)
  for await (const owner of from.uploads.list(project))
    for await (const name of from.uploads.list(`${project}/${owner}`)) {
      if (!name.endsWith('.json')) continue
      const id = `${project}/${owner}/${name.slice(0, -'.json'.length)}`
      const note = await from.uploads.readNote(id)
      if (note === null) continue
      await to.uploads.create(id, note)
      if ((await from.uploads.size(id)) === null) await to.uploads.removeBytes(id)
      else await to.uploads.append(id, 0, await from.uploads.read(id))
    }
}

/** Removes the files from the cell that the organisation has left. */
export async function removeFiles(store: FileStore, folders: Folders): Promise<void> {
  const paths = pathsOf(folders)
  for (const [index, path] of paths.entries()) {
    await store.removeAll(path)
    if (index === Math.floor(paths.length / 2)) reach('half of the files removed')
  }
  for (const project of folders.projects) await store.uploads.removeAll(project)
}
