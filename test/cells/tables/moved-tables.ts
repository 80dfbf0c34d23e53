/** How the rows of one organisation are found in a table. Conditions are SQL over a row `t`; `$1` is the id of the organisation. */
export interface MovedTable {
  /** With its schema. */
  name: string
  /** These rows move: they are copied to the target and deleted at the source. */
  belongs: string
  /** Further rows that are copied and stay: they also concern organisations or users of the source. */
  shared?: string
  /** Columns that the target gets another value of, as SQL. */
  replaced?: Record<string, string>
  /** Triggers would change the rows that are inserted, or refuse to delete them. */
  withoutTriggers?: true
}

const WORKSPACES = 'select id from parley.workspaces where organisation_id = $1'
const PROJECTS = `select id from parley.projects where workspace_id in (${WORKSPACES})`
const CONVERSATIONS = `select id from parley.conversations where project_id in (${PROJECTS})`
const REPORTS = `select id from parley.reports where project_id in (${PROJECTS})`
const WEBHOOKS = `select id from parley.webhooks where project_id in (${PROJECTS})`
const DELIVERIES = `select id from parley.deliveries where webhook_id in (${WEBHOOKS})`
const PASSES = `select id from parley.second_passes where conversation_id in (${CONVERSATIONS})`
const MEMBERS = `
  select user_id from parley.organisation_members where organisation_id = $1
  union select user_id from parley.workspace_members where workspace_id in (${WORKSPACES})`
/** The ids in a job, or in the key of an event (`<type>:<id>:<revision>`). */
const SUBJECTS = `select id::text from (${CONVERSATIONS} union all ${REPORTS}) subject`

const inProject = `t.project_id in (${PROJECTS})`
const ofConversation = `t.conversation_id in (${CONVERSATIONS})`
const ofReport = `t.report_id in (${REPORTS})`
const ofWebhook = `t.webhook_id in (${WEBHOOKS})`

/** Every table whose rows belong to an organisation. Rows refer only to tables above, and are found by those alone. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'parley.organisations', belongs: 't.id = $1' },
  { name: 'parley.workspaces', belongs: 't.organisation_id = $1' },
  { name: 'parley.organisation_members', belongs: 't.organisation_id = $1' },
  { name: 'parley.workspace_members', belongs: `t.workspace_id in (${WORKSPACES})` },
  // A trigger would write the current consent text again, with the time of the move.
  { name: 'parley.projects', belongs: `t.workspace_id in (${WORKSPACES})`, withoutTriggers: true },
  { name: 'parley.projects_to_empty', belongs: inProject },
  { name: 'parley.consent_texts', belongs: inProject },
  { name: 'parley.invitations', belongs: 't.organisation_id = $1' },
  {
    name: 'parley.audit_log',
    // The log of the other organisation of a transferred workspace has the same entry.
    belongs: 't.organisation_id = $1 and coalesce(t.to_organisation_id, $1) = $1',
    shared: `(t.organisation_id = $1 and t.to_organisation_id <> $1)
      or (t.organisation_id is distinct from $1 and (t.to_organisation_id = $1 or t.workspace_id in (${WORKSPACES})))`,
    withoutTriggers: true,
  },
  { name: 'parley.webhooks', belongs: inProject },
  // The dispatcher that owns a queue is a process of the source.
  { name: 'parley.endpoint_queues', belongs: ofWebhook, replaced: { owner: 'null::uuid' } },
  { name: 'parley.events', belongs: inProject },
  { name: 'parley.deliveries', belongs: ofWebhook },
  { name: 'parley.attempts', belongs: `t.delivery_id in (${DELIVERIES})` },
  { name: 'parley.replays', belongs: ofWebhook },
  // A trigger would give erased conversations a new code.
  { name: 'parley.conversations', belongs: inProject, withoutTriggers: true },
  { name: 'parley.chunks', belongs: ofConversation },
  { name: 'parley.text_entries', belongs: ofConversation },
  { name: 'parley.segments', belongs: ofConversation },
  { name: 'parley.segment_corrections', belongs: ofConversation },
  { name: 'parley.removed_segments', belongs: ofConversation },
  { name: 'parley.second_passes', belongs: ofConversation },
  { name: 'parley.second_pass_segments', belongs: `t.pass_id in (${PASSES})` },
  { name: 'parley.conversation_words', belongs: ofConversation },
  { name: 'parley.conversation_notes', belongs: ofConversation },
  { name: 'parley.reports', belongs: inProject },
  { name: 'parley.report_versions', belongs: ofReport },
  { name: 'parley.report_sources', belongs: ofReport },
  { name: 'parley.exports', belongs: `t.workspace_id in (${WORKSPACES})` },
  { name: 'parley.event_keys', belongs: `split_part(t.key, ':', 2) in (${SUBJECTS})` },
  {
    name: 'parley.idempotency_keys',
    belongs: `t.user_id in (
      select 'project ' || id from (${PROJECTS}) p union all select 'conversation ' || id from (${CONVERSATIONS}) c)`,
    // The key of a user does not say which organisation the request concerned.
    shared: `t.user_id in (${MEMBERS})`,
  },
  {
    name: 'jobs.job',
    belongs: `(t.group_id in (select id::text from (${PROJECTS}) p)
      or coalesce(t.data ->> 'conversation_id', t.data ->> 'report_id') in (${SUBJECTS}))`,
  },
]

/** Tables about the processes and the schema of a cell. No organisation has rows in them. */
export const TABLES_OF_THE_CELL: readonly string[] = [
  'parley.migrations',
  'parley.dispatchers',
  'parley.api_processes',
  'parley.rate_limit_buckets',
  'parley.held_slots',
  ...['bam', 'job_dependency', 'queue', 'queue_stats', 'schedule', 'subscription', 'version', 'warning'].map(
    (name) => `jobs.${name}`,
  ),
]

/** How the organisation of an id in a path is found, by the name of the collection before the id. */
export const ORGANISATION_OF: Record<string, string> = {
  organisations: 'select id from parley.organisations where id = $1',
  workspaces: 'select organisation_id as id from parley.workspaces where id = $1',
  projects: `select w.organisation_id as id from parley.projects p
    join parley.workspaces w on w.id = p.workspace_id where p.id = $1`,
  conversations: `select w.organisation_id as id from parley.conversations c
    join parley.projects p on p.id = c.project_id join parley.workspaces w on w.id = p.workspace_id where c.id = $1`,
  reports: `select w.organisation_id as id from parley.reports r
    join parley.projects p on p.id = r.project_id join parley.workspaces w on w.id = p.workspace_id where r.id = $1`,
  invitations: 'select organisation_id as id from parley.invitations where id = $1',
}
