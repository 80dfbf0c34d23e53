import type { Db } from '../../../database/database.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { notFound } from '../find-conversation.ts'
import { openFile } from '../open-file.ts'
import { findProject } from '../participant/read-portal.ts'

/** The logo of a project: a PNG, and its version. */
export async function openLogo({ db, files }: { db: Db; files: FileStore }, projectId: string | undefined) {
  const { logo } = await findProject(db, projectId)
  const file = logo && (await openFile(files, logo.key))
  if (!file) throw notFound()
  return { version: logo.version, ...file }
}
