/** The status of a webhook's unsent deliveries: pending while the webhook can receive them. */
export type UnsentStatus = 'pending' | 'missed' | 'cancelled'

/**
 * Decides whether a webhook can receive deliveries: SQL over `w` (webhooks), `p` (its project) and `s` (its workspace), with the parameter
 * `:tiers`. Deliveries to a disabled webhook, or below the tier, are missed, so that they can be replayed.
 */
export const UNSENT_STATUS = `case
  when w.deleted_at is not null or p.deleted_at is not null or s.deleted_at is not null then 'cancelled'
  when not w.enabled or s.tier <> all(:tiers::text[]) then 'missed'
  else 'pending'
end`

/** The joins that `UNSENT_STATUS` needs in addition to `w`. */
export const JOIN_TENANT = `join projects p on p.id = w.project_id
  join workspaces s on s.id = p.workspace_id`

/** Excludes deliveries that were pending when the webhook was disabled: they are missed, even if it was enabled again. */
export const NOT_INTERRUPTED = '(w.disabled_at is null or d.created_at > w.disabled_at)'
