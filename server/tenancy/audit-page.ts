import type { Selectable, SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../kernel/database.ts'
import { newestFirst, type Page, type PageQuery } from '../kernel/page.ts'
import { id, timestamp } from '../kernel/schema.ts'
import type { Tables } from '../kernel/tables.ts'

export const AuditEntry = z
  .object({
    id,
    at: timestamp,
    actor_id: z.string(),
    actor_staff: z.boolean(),
    action: z.string(),
    organisation_id: id.nullable(),
    to_organisation_id: id.nullable().describe('Where a transferred workspace went'),
    workspace_id: id.nullable(),
    target_kind: z.string(),
    target_id: z.string(),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEntry' })

type AuditQuery = SelectQueryBuilder<Tables, 'audit_log', Selectable<Tables['audit_log']>>

export function pageOfAudit(
  db: Db,
  query: PageQuery,
  narrow: (rows: AuditQuery) => AuditQuery,
): Promise<Page<unknown>> {
  return newestFirst(narrow(db.selectFrom('audit_log').selectAll()), query, (row) => row)
}
