import { isId } from '../ui/is-id.ts'
import { TIERS, type TierName } from '../workspaces/tier-names.ts'

export const JOB_KINDS = ['transcribe', 'summarize', 'report', 'erase', 'join_audio', 'replay'] as const
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** The states of the lists, which are in their addresses. */
export interface JobFilters {
  kind?: (typeof JOB_KINDS)[number]
  state?: (typeof JOB_STATES)[number]
}

export const HEALTH_STATES = ['new', 'ok', 'failing', 'disabled'] as const

export interface WebhookFilters {
  state?: (typeof HEALTH_STATES)[number]
}

export interface WorkspaceFilters {
  tier?: TierName
  organisation_id?: string
}

/** Values that an address can have by accident are ignored. */
export function readJobFilters(search: Record<string, unknown>): JobFilters {
  const kind = JOB_KINDS.find((one) => one === search['kind'])
  const state = JOB_STATES.find((one) => one === search['state'])
  return { ...(kind && { kind }), ...(state && { state }) }
}

export function readWebhookFilters(search: Record<string, unknown>): WebhookFilters {
  const state = HEALTH_STATES.find((one) => one === search['state'])
  return state ? { state } : {}
}

export function readWorkspaceFilters(search: Record<string, unknown>): WorkspaceFilters {
  const tier = TIERS.find((one) => one === search['tier'])
  const { organisation_id } = search
  return { ...(tier && { tier }), ...(isId(organisation_id) && { organisation_id }) }
}
