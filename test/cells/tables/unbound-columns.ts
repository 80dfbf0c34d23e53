import type { Reference } from './schema.ts'

const reference = (from: string, column: string, to: string): Reference => ({
  from: `parley.${from}`,
  column,
  to: `parley.${to}`,
  toColumn: 'id',
})

/** Columns that name a row of another table without a foreign key, because they outlive it or are written too often. */
export const UNBOUND_REFERENCES: readonly Reference[] = [
  reference('audit_log', 'workspace_id', 'workspaces'),
  reference('attempts', 'delivery_id', 'deliveries'),
  reference('conversation_words', 'project_id', 'projects'),
  reference('deliveries', 'event_id', 'events'),
  reference('deliveries', 'replay_id', 'replays'),
  reference('deliveries', 'superseded_by', 'deliveries'),
  reference('deliveries', 'webhook_id', 'webhooks'),
  reference('event_keys', 'event_id', 'events'),
  reference('events', 'project_id', 'projects'),
  reference('report_sources', 'conversation_id', 'conversations'),
]

/** The other columns that name something, by what makes them right in every cell. */
export const OTHER_UNBOUND_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'users of the identity store, which all cells share': [
    'parley.audit_log.actor_id',
    'parley.idempotency_keys.user_id',
    'parley.invitations.invited_by',
    'parley.organisation_members.user_id',
    'parley.organisations.created_by',
    'parley.report_versions.created_by',
    'parley.reports.created_by',
    'parley.reports.edited_by',
    'parley.segment_corrections.edited_by',
    'parley.workspace_members.user_id',
  ],
  'transactions: the target skips those that the source has used': [
    'parley.conversations.changed',
    'parley.events.xid',
    'parley.removed_segments.changed',
    'parley.segments.changed',
  ],
  'rows of the same organisation, of one of several tables': [
    'jobs.job.group_id',
    'parley.audit_log.target_id',
    'parley.events.subject_id',
    'parley.replays.position',
    'parley.reports.conversation_ids',
  ],
  'the two organisations of a transferred workspace: both cells have the row': [
    'parley.audit_log.organisation_id',
    'parley.audit_log.to_organisation_id',
  ],
  'ids of their own row': [
    'jobs.job.id',
    'parley.audit_log.request_id',
    'parley.deliveries.id',
    'parley.segments.id',
  ],
  'not used by the service': ['jobs.job.source_id', 'jobs.job.source_root_id'],
  'a process of the cell: not copied': ['parley.endpoint_queues.owner'],
}
