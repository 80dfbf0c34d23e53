import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, ok, requireMatch } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import { placeOf } from './place.ts'
import { type ProjectPatch, toColumns, toProject } from './schema.ts'

type Update = { kind: 'project'; capability: 'project:update' }

export async function updateProject(
  context: Context<Update, z.output<typeof ProjectPatch>>,
  tx: Tx,
): Promise<Answer> {
  const { target, body, ifMatch } = context
  const row = await tx
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  const before = toProject(row)
  requireMatch(ifMatch, before)

  const changes = Object.entries(body).filter(
    ([key, value]) => !isDeepStrictEqual(value, before[key as keyof typeof before]),
  )
  if (changes.length === 0) return ok(before)
  const set = Object.fromEntries(changes)
  await tx.updateTable('projects').set(toColumns(set)).where('id', '=', row.id).execute()
  const place = await placeOf(tx, row)
  const deed = { target: { kind: 'project', id: row.id }, details: { fields: Object.keys(set) } }
  await audit(tx, context, { action: 'project.updated', ...place, ...deed })
  return ok(toProject({ ...row, ...set }))
}
