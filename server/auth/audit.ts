import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Principal } from './principal.ts'

/** `details` must not contain secrets, names or e-mail addresses, because the log outlives the records. */
export interface AuditEntry {
  /** `area.verb`, like `workspace.tier_set`. */
  action: string
  organisationId: string | null
  /** The other organisation, where a workspace moves between two. */
  toOrganisationId?: string | null
  workspaceId?: string | null
  target: { kind: string; id: string }
  reason?: string | null
  details?: Record<string, unknown>
}

/** The user who acts, and the request. */
export interface Actor {
  principal: Pick<Principal, 'userId' | 'staff'>
  requestId: string
}

/** Writes one row to the audit log, in the transaction of the change: without the row the change does not commit. */
export async function audit(tx: Tx, { principal, requestId }: Actor, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: newId(),
      actor_id: principal.userId,
      actor_staff: principal.staff,
      action: entry.action,
      organisation_id: entry.organisationId,
      to_organisation_id: entry.toOrganisationId ?? null,
      workspace_id: entry.workspaceId ?? null,
      target_kind: entry.target.kind,
      target_id: entry.target.id,
      reason: entry.reason ?? null,
      details: JSON.stringify(entry.details ?? {}),
      request_id: requestId,
    })
    .execute()
}
