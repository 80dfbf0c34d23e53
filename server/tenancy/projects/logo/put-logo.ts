import { Readable } from 'node:stream'
import type { z } from 'zod'
import { inTransaction, type Tx } from '../../../../database/database.ts'
import type { StoredLogo } from '../../../../database/tables.ts'
import { newId } from '../../../../platform/ids.ts'
import type { FileStore } from '../../../../storage/file-store.ts'
import { Problem } from '../../../api/problems.ts'
import { contentDigest } from '../../../api/response.ts'
import type { ChangeContext, Context } from '../../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../../auth/index.ts'
import { lockRecord, tenantIdsOf } from '../../records.ts'
import type { ProjectParts } from '../parts.ts'
import { type Project, toProject } from '../schema.ts'
import { decodeLogo } from './decode-logo.ts'
import { logoKey } from './file-keys.ts'

/** At most one image of 512 × 512 pixels that cannot be compressed. */
const MAX_STORED_BYTES = 2 * 1024 * 1024

/** Stores the image as the logo of the project, and removes the one before. */
export async function putLogo(
  context: Context<ProjectTarget>,
  bytes: Buffer,
  { files, publicUrl }: ProjectParts,
): Promise<z.output<typeof Project>> {
  const { png, width, height } = await decodeLogo(bytes)
  const key = logoKey(context.target.id, newId())
  await store(files, key, png)
  const logo = { key, version: contentDigest(png), bytes: png.length, width, height }
  const { record, previous } = await inTransaction(context.db, (tx) =>
    changeLogo({ ...context, tx }, logo, publicUrl),
  ).catch(async (error: unknown) => {
    // After other errors the change can have been committed: then the file is in use.
    if (error instanceof Problem) await files.remove(key)
    throw error
  })
  await removeFile(files, previous)
  return record
}

/** Removes the logo; without one nothing changes. */
export async function deleteLogo(
  context: Context<ProjectTarget>,
  { files, publicUrl }: ProjectParts,
): Promise<void> {
  const { previous } = await inTransaction(context.db, (tx) =>
    changeLogo({ ...context, tx }, null, publicUrl),
  )
  await removeFile(files, previous)
}

async function changeLogo(
  context: ChangeContext<ProjectTarget> & { tx: Tx },
  logo: StoredLogo | null,
  publicUrl: string,
) {
  const { tx, target } = context
  const row = await lockRecord(tx, 'projects', target.id)
  context.requireUnchanged(toProject(row, publicUrl))
  const record = toProject({ ...row, logo }, publicUrl)
  if (logo === null && row.logo === null) return { record, previous: null }
  await tx
    .updateTable('projects')
    .set({ logo: logo && JSON.stringify(logo) })
    .where('id', '=', row.id)
    .execute()
  await audit(tx, context, {
    action: 'project.updated',
    ...(await tenantIdsOf(tx, row)),
    target: { kind: 'project', id: row.id },
    details: { fields: ['logo'] },
  })
  return { record, previous: row.logo }
}

async function store(files: FileStore, key: string, png: Buffer): Promise<void> {
  const file = await files.receive(Readable.from([png]), MAX_STORED_BYTES)
  await file.keep(key)
}

/** After the commit. If the process dies before it, the file stays until the project is deleted. */
const removeFile = async (files: FileStore, logo: StoredLogo | null): Promise<void> => {
  if (logo) await files.remove(logo.key)
}
