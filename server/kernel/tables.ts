import type { ColumnType, Generated } from 'kysely'

/** The rows that the migrations made, as types. */
export interface Tables {
  organisations: OrganisationRow
  workspaces: WorkspaceRow
  organisation_members: OrganisationMemberRow
  workspace_members: WorkspaceMemberRow
  projects: ProjectRow
  invitations: InvitationRow
  audit_log: AuditRow
  idempotency_keys: IdempotencyRow
}

/** Set by the database's clock unless given; read as ISO 8601. */
type Timestamp = Generated<string>
/** Written as JSON text, read as a value. */
type Json<T> = ColumnType<T, string, string>

interface OrganisationRow {
  id: string
  name: string
  created_at: Timestamp
  deleted_at: string | null
}

interface WorkspaceRow {
  id: string
  organisation_id: string
  name: string
  tier: Generated<string>
  created_at: Timestamp
  deleted_at: string | null
}

interface OrganisationMemberRow {
  organisation_id: string
  user_id: string
  role: string
  created_at: Timestamp
}

interface WorkspaceMemberRow {
  workspace_id: string
  user_id: string
  role: string
  created_at: Timestamp
}

interface ProjectRow {
  id: string
  workspace_id: string
  name: string
  language: string
  languages: Json<string[]>
  is_open: boolean
  title: string | null
  description: string | null
  finish_text: string | null
  ask_name: boolean
  ask_email: boolean
  tags: Json<string[]>
  consent_text: string | null
  privacy_url: string | null
  retention_days: number | null
  hotwords: Json<string[]>
  created_at: Timestamp
  deleted_at: string | null
}

interface InvitationRow {
  id: string
  organisation_id: string
  workspace_id: string | null
  email: string
  role: string
  invited_by: string
  state: Generated<string>
  created_at: Timestamp
  expires_at: string
}

interface AuditRow {
  id: string
  at: Timestamp
  actor_id: string
  actor_staff: boolean
  action: string
  organisation_id: string | null
  to_organisation_id: string | null
  workspace_id: string | null
  target_kind: string
  target_id: string
  reason: string | null
  details: Json<Record<string, unknown>>
  request_id: string
}

interface IdempotencyRow {
  user_id: string
  key: string
  fingerprint: string
  answer: string
  created_at: Timestamp
}
