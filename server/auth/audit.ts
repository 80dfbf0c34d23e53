import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Principal } from './principal.ts'

/** One deed. No secrets, no names and no e-mail addresses in `details`: the log is kept for long. */
export interface Deed {
  /** `area.verb`, like `workspace.tier_set`. */
  action: string
  organisationId: string | null
  /** The second organisation of a deed that concerns two. */
  toOrganisationId?: string | null
  workspaceId?: string | null
  target: { kind: string; id: string }
  reason?: string | null
  details?: Record<string, unknown>
}

/** Who did it, and in which request. */
export interface Doer {
  principal: Pick<Principal, 'userId' | 'staff'>
  requestId: string
}

/** Writes one row to the audit log, in the transaction of the deed: if it can't be written, the deed does not happen. */
export async function audit(tx: Tx, { principal, requestId }: Doer, deed: Deed): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: newId(),
      actor_id: principal.userId,
      actor_staff: principal.staff,
      action: deed.action,
      organisation_id: deed.organisationId,
      to_organisation_id: deed.toOrganisationId ?? null,
      workspace_id: deed.workspaceId ?? null,
      target_kind: deed.target.kind,
      target_id: deed.target.id,
      reason: deed.reason ?? null,
      details: JSON.stringify(deed.details ?? {}),
      request_id: requestId,
    })
    .execute()
}
