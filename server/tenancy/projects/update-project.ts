import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { lockRecord, tenantIdsOf } from '../records.ts'
import { type Project, type ProjectPatch, toColumns, toProject } from './schema.ts'

export async function updateProject(
  context: ChangeContext<ProjectTarget>,
  patch: z.output<typeof ProjectPatch>,
  publicUrl: string,
): Promise<z.output<typeof Project>> {
  const { target, tx } = context
  const row = await lockRecord(tx, 'projects', target.id)
  const before = toProject(row, publicUrl)
  context.requireUnchanged(before)

  const changes = Object.entries(patch).filter(
    ([key, value]) => !isDeepStrictEqual(value, before[key as keyof typeof before]),
  )
  if (changes.length === 0) return before
  const set = Object.fromEntries(changes)
  await tx.updateTable('projects').set(toColumns(set)).where('id', '=', row.id).execute()
  await audit(tx, context, {
    action: 'project.updated',
    ...(await tenantIdsOf(tx, row)),
    target: { kind: 'project', id: row.id },
    details: { fields: Object.keys(set) },
  })
  return toProject({ ...row, ...set }, publicUrl)
}
