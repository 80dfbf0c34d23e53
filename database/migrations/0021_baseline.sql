-- minimum: 21
-- previous release: 0.1.0
-- The schema of a new database. Columns stand in the order of an upgraded one, so that both are equal.

-- UUID version 7 by the database's clock: ids sort by time, and the delivery log is partitioned by them.
create function uuid_v7() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The smallest id of a moment: `id >= uuid_floor(now() - interval '4 days')` excludes older partitions from a plan.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(greatest(0, extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Tenancy: organisations contain workspaces, which contain projects. Users are in the identity store; this schema has their ids.

create table organisations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  -- Set at once; the contents are erased later.
  deleted_at timestamptz,
  -- For the limit of organisations per user. Not ownership: others can make a user the owner of any number of them.
  created_by text
);
create index organisations_by_creator on organisations (created_by) where deleted_at is null;

create table workspaces (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  name text not null,
  tier text not null default 'free' check (tier in ('free', 'innovator', 'changemaker', 'guardian')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index workspaces_by_organisation on workspaces (organisation_id, id) where deleted_at is null;

create table organisation_members (
  organisation_id uuid not null references organisations,
  user_id text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  created_at timestamptz not null default now(),
  primary key (organisation_id, user_id)
);
create index organisation_members_by_user on organisation_members (user_id);

create table workspace_members (
  workspace_id uuid not null references workspaces,
  user_id text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_by_user on workspace_members (user_id);

create table projects (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  language text not null,
  languages jsonb not null,
  is_open boolean not null,
  title text,
  description text,
  finish_text text,
  ask_name boolean not null,
  ask_email boolean not null,
  tags jsonb not null,
  consent_text text,
  privacy_url text,
  retention_days integer check (retention_days > 0),
  hotwords jsonb not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- When the event payloads of a deleted project were erased.
  erased_at timestamptz
);
create index projects_by_workspace on projects (workspace_id, id) where deleted_at is null;
create index projects_to_erase on projects (id) where deleted_at is not null and erased_at is null;
create index projects_with_retention on projects (id) where retention_days is not null and deleted_at is null;

-- Deleted projects whose conversations are not deleted yet.
create table projects_to_empty (
  project_id uuid primary key references projects
);
create function note_deleted_project() returns trigger language plpgsql as $$
begin
  insert into projects_to_empty (project_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger projects_deleted after update of deleted_at on projects
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_deleted_project();

-- Every consent text that a project ever had: the consent of a conversation names its text by the digest.
create table consent_texts (
  project_id uuid not null references projects,
  -- SHA-256 of the text, in hex.
  version text not null,
  -- The language of the project when the text was set.
  language text not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, version)
);
create function keep_consent_text() returns trigger language plpgsql as $$
begin
  insert into consent_texts (project_id, version, language, text)
  values (new.id, encode(sha256(convert_to(new.consent_text, 'UTF8')), 'hex'), new.language, new.consent_text)
  on conflict do nothing;
  return null;
end $$;
create trigger projects_consent_text after insert or update of consent_text on projects
  for each row when (new.consent_text is not null) execute function keep_consent_text();

-- A user who signs in with the invited e-mail address can accept or decline.
create table invitations (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  -- Null: an invitation to the organisation itself.
  workspace_id uuid references workspaces,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  invited_by text not null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index invitations_pending on invitations (organisation_id, workspace_id, email)
  nulls not distinct where state = 'pending';
create index invitations_by_email on invitations (email) where state = 'pending';

-- Audit entries, written in the transaction of the change. No foreign keys: an entry outlives the rows that it names.
create table audit_log (
  id uuid primary key,
  -- Not the start of the transaction: a change that waited for another one comes after it.
  at timestamptz not null default clock_timestamp(),
  actor_id text not null,
  actor_staff boolean not null,
  action text not null,
  organisation_id uuid,
  -- The new organisation of a transferred workspace.
  to_organisation_id uuid,
  workspace_id uuid,
  target_kind text not null,
  target_id text not null,
  reason text,
  details jsonb not null,
  request_id text not null
);
create index audit_log_by_organisation on audit_log (organisation_id, id desc);
create index audit_log_by_to_organisation on audit_log (to_organisation_id, id desc) where to_organisation_id is not null;
create index audit_log_by_actor on audit_log (actor_id, id desc);
create index audit_log_by_target on audit_log (target_id, id desc);
create index audit_log_by_workspace on audit_log (workspace_id, id desc) where workspace_id is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

-- The response to a POST with an Idempotency-Key, written in the transaction of its change and kept for 24 hours.
create table idempotency_keys (
  user_id text not null,
  key text not null,
  -- Of method, path and body, to reject the same key on another request.
  fingerprint text not null,
  response text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
comment on column idempotency_keys.response is 'Status, headers and body, encrypted: a response can contain a secret that is shown once.';

-- Webhooks, their events, and the log of deliveries and attempts.

create table webhooks (
  id uuid primary key,
  project_id uuid not null references projects,
  name text,
  url text not null,
  events text[] not null,
  payload text not null default 'full' check (payload in ('full', 'ids')),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing', 'staff', 'secret_unreadable')),
  disabled_at timestamptz,
  -- Encrypted. Each new secret has a higher version, and an attempt records the version that signed it.
  secret text,
  secret_version integer not null default 0,
  secret_strength text check (secret_strength in ('weak', 'ok')),
  previous_secret text,
  previous_valid_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The times of the last test deliveries, for the limit of 10 per minute across all processes.
  recent_tests timestamptz[] not null default '{}',
  check (enabled = (disabled_reason is null))
);
create index webhooks_by_project on webhooks (project_id, id) where deleted_at is null;
comment on column webhooks.disabled_at is
  'The last time the webhook was disabled. Deliveries pending then are missed, even if it was enabled again.';

-- The processes that deliver. A dispatcher owns its endpoint queues until its lease ends.
create table dispatchers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null
);

create table endpoint_queues (
  webhook_id uuid primary key references webhooks,
  owner uuid,
  fence bigint not null default 0,
  consecutive_failures integer not null default 0,
  trial_at timestamptz,
  failed_trials integer not null default 0,
  failing_since timestamptz,
  failures_since_success integer not null default 0,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  last_status integer
) with (fillfactor = 50);
comment on table endpoint_queues is 'One row per webhook: the dispatcher that owns its queue, and the health of its endpoint.';
comment on column endpoint_queues.fence is
  'Grows with each change of owner. A dispatcher that writes with an older number has lost the queue.';
comment on column endpoint_queues.trial_at is
  'Set while the circuit breaker is open: one trial request at a time, not before this time.';

-- Makes sure that a change of state is published as one event, however often it is retried. Rows are never deleted.
create table event_keys (
  key text primary key,
  event_id uuid not null
);

create table events (
  id uuid primary key,
  project_id uuid not null,
  type text not null,
  -- The object of the event, for erasure.
  subject_id uuid not null,
  occurred_at timestamptz not null,
  -- The transaction that wrote the event. Readers stop before the oldest open transaction, so that they skip no event.
  xid xid8 not null default pg_current_xact_id(),
  -- The bytes that are signed and sent, serialised once; null after an erasure.
  full_body bytea,
  ids_body bytea
) partition by range (id);
create index events_in_order on events (project_id, xid, id);
create index events_by_subject on events (subject_id);
-- Bodies are JSON of a few hundred bytes to 256 KiB: compressing the small ones costs more than it saves.
alter table events alter column full_body set storage external;

create table deliveries (
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamptz not null,
  kind text not null check (kind in ('event', 'test', 'resend', 'replay')),
  payload text not null check (payload in ('full', 'ids')),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'cancelled', 'missed')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  last_status integer,
  last_error text,
  replay_id uuid,
  -- The later delivery of the same event that replaced this one.
  superseded_by uuid,
  primary key (webhook_id, id)
) partition by range (id);
create index deliveries_pending on deliveries (webhook_id, due_at) where status = 'pending';
create index deliveries_undelivered on deliveries (webhook_id, status, id) where status in ('failed', 'missed');
create index deliveries_of_replay on deliveries (replay_id, status) where replay_id is not null;
-- Other deliveries of an event are found by its time. Few deliveries are of these kinds, so most inserts skip this index.
create index deliveries_made_later on deliveries (event_id) where kind <> 'event';

create table attempts (
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  -- Values that no statement filters by: timings, address, response, version of the secret.
  details json not null,
  primary key (delivery_id, number)
) partition by range (delivery_id);

create table replays (
  id uuid primary key,
  webhook_id uuid not null references webhooks,
  selection text not null check (selection in ('failed', 'missed', 'undelivered', 'all')),
  events text[] not null,
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  total integer not null,
  -- The last event or delivery that was processed.
  position uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index replays_running on replays (id) where state = 'running';

-- Rows of a day without partitions, for example because a clock is wrong.
create table events_default partition of events default;
create table deliveries_default partition of deliveries default;
create table attempts_default partition of attempts default;

create function add_partitions(day date) returns void language plpgsql as $$
declare
  parent text;
  child text;
  key text;
  first uuid := uuid_floor(day::timestamp at time zone 'UTC');
  next uuid := uuid_floor((day + 1)::timestamp at time zone 'UTC');
begin
  foreach parent in array array['events', 'deliveries', 'attempts'] loop
    child := parent || to_char(day, '_YYYYMMDD');
    continue when to_regclass(child) is not null;
    key := case parent when 'attempts' then 'delivery_id' else 'id' end;
    -- PostgreSQL refuses to create a partition while the default partition has rows of it. The lock keeps out new ones.
    execute format('lock table only %I in access exclusive mode', parent);
    execute format('create unlogged table late_rows as select * from %1$I where %2$I >= %3$L and %2$I < %4$L',
      parent || '_default', key, first, next);
    execute format('delete from %1$I where %2$I >= %3$L and %2$I < %4$L', parent || '_default', key, first, next);
    execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent, first, next);
    execute format('insert into %I select * from late_rows', parent);
    drop table late_rows;
  end loop;
  -- With deduplication, deliveries that are due at the same moment (a replay, a backlog) share one index entry, and each claim
  -- reads all finished ones in it again. PostgreSQL accepts this setting for the index of a partition only.
  for child in
    select c.oid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries_pending'::regclass and c.reloptions is null
  loop
    execute format('alter index %s set (deduplicate_items = off)', child);
  end loop;
end $$;
comment on function add_partitions(date) is
  'Creates the partitions of one day for events, deliveries and attempts, and moves rows into them from the default partitions.';

select add_partitions(day::date)
from generate_series((now() at time zone 'UTC')::date - 1, (now() at time zone 'UTC')::date + 7, interval '1 day') as day;

-- Conversations: recorded in numbered chunks or typed, transcribed, summarised. Audio is in the file store, under keys made from
-- these ids. Chunks and heartbeats update the row often: no index contains active_at, and pages have room for new versions.

create table conversations (
  id uuid primary key,
  project_id uuid not null references projects,
  status text not null check (status in ('recording', 'transcribing', 'summarizing', 'done', 'failed')),
  -- A failure code; null unless it failed.
  failure text,
  source text not null check (source in ('portal_audio', 'portal_text', 'upload')),
  -- Grows when its events are published again.
  revision integer not null default 1,
  -- As chosen at the start; null: the language of the project.
  language text,
  detected_language text,
  participant_name text,
  participant_email text,
  tags text[] not null default '{}',
  title text,
  -- Points with the segments that support them, and the method.
  summary jsonb,
  -- SHA-256 of the participant token; null for the upload of a host.
  token_digest bytea,
  -- Digest of the accepted text, its language and the time.
  consent jsonb,
  started_at timestamptz not null default now(),
  -- The last chunk, text or heartbeat.
  active_at timestamptz not null default now(),
  finished_at timestamptz,
  -- False: the service closed it after 15 minutes without activity.
  finished_by_participant boolean not null default false,
  duration_ms bigint not null default 0,
  bytes bigint not null default 0,
  -- The chunks joined to one file that browsers play; null until then.
  audio jsonb,
  -- The transaction that last changed a field which streams show.
  changed xid8 not null default pg_current_xact_id(),
  deleted_at timestamptz,
  erased_at timestamptz,
  -- A title or tags that a host chose stay when the conversation is summarised again.
  own_title boolean not null default false,
  own_tags boolean not null default false,
  -- The time of `changed`, set by a trigger; null for rows of older versions that have not changed since.
  changed_at timestamptz default now(),
  -- Why the audio was not joined. Cleared when chunks are transcribed again or arrive.
  audio_failure text
) with (fillfactor = 80);
comment on column conversations.detected_language is 'The language of the first transcribed chunk; null until then.';
create index conversations_in_order on conversations (project_id, changed, id);
create index conversations_by_project on conversations (project_id, id desc) where deleted_at is null;
create index conversations_by_tag on conversations using gin (tags) where deleted_at is null;
create index conversations_by_start on conversations (project_id, started_at) where deleted_at is null;
create index conversations_by_source on conversations (project_id, source, id desc) where deleted_at is null;
create index conversations_by_finish on conversations (project_id, finished_at)
  where deleted_at is null and status <> 'recording';
-- For the scheduled tasks that close, recover, join and erase conversations.
create index conversations_being_recorded on conversations (id) where status = 'recording' and deleted_at is null;
create index conversations_being_processed on conversations (finished_at)
  where status in ('transcribing', 'summarizing') and deleted_at is null;
create index conversations_without_audio on conversations (finished_at)
  where audio is null and audio_failure is null and deleted_at is null and status in ('summarizing', 'done', 'failed');
create index conversations_to_erase on conversations (deleted_at) where deleted_at is not null and erased_at is null;
create index conversations_erased on conversations (id) where erased_at is not null;

create function note_time_of_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;
create trigger conversations_note_time_of_change before update of changed on conversations
for each row execute function note_time_of_change();

create table chunks (
  conversation_id uuid not null references conversations,
  seq integer not null check (seq between 0 and 99999),
  -- SHA-256: the same bytes again are a repeated request, other bytes with the same number a conflict.
  digest bytea not null,
  bytes bigint not null,
  -- Null: the chunk continues the file of the previous one.
  container text,
  received_at timestamptz not null default now(),
  recorded_at timestamptz,
  state text not null default 'stored' check (state in ('stored', 'transcribed', 'failed')),
  failure text,
  -- Known after decoding.
  duration_ms integer,
  language text,
  transcribed_ms integer,
  waits_for_previous boolean not null default false,
  primary key (conversation_id, seq)
);
comment on column chunks.transcribed_ms is
  'How much of a long chunk is transcribed, while the rest is not or after the rest has failed.';
comment on column chunks.waits_for_previous is
  'Its job ended because the previous chunk was not transcribed; transcribing that one enqueues a new job.';

create table text_entries (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  content text not null,
  written_at timestamptz not null default now()
);
create index text_entries_by_conversation on text_entries (conversation_id, id);
comment on table text_entries is 'Text that a participant typed instead of speaking.';

create table segments (
  conversation_id uuid not null references conversations,
  chunk_seq integer not null,
  position integer not null,
  -- From the start of the chunk, because a late chunk shifts those after it.
  start_ms integer not null,
  end_ms integer not null,
  text text not null,
  primary key (conversation_id, chunk_seq, position)
);

-- The words of transcript, title and summary, in their own table so that lists do not read them. The project id, after a blank, is
-- one of the words, so that the index finds the matches of one project; no query contains it, since words have no blanks.
create table conversation_words (
  conversation_id uuid primary key references conversations,
  project_id uuid not null,
  words tsvector not null,
  tokenizer_version smallint not null default 1
);
create index conversation_words_by_word on conversation_words using gin (words);
create index conversation_words_outdated on conversation_words (conversation_id) where tokenizer_version < 2;
comment on column conversation_words.tokenizer_version is
  'The version of the word-splitting rules. Rows of an older version are indexed again in the background.';

-- The conversations with all words of a query. Forces the index: unpacking the words of one row takes 35 µs.
create function conversations_with_words(query tsquery, most integer) returns setof uuid
language sql stable parallel safe
set enable_seqscan = off
set enable_indexscan = off
as $$ select conversation_id from conversation_words where words @@ query limit most $$;

-- Each report is a version; at most one per project is published.
create table reports (
  id uuid primary key,
  project_id uuid not null references projects,
  status text not null check (status in ('scheduled', 'generating', 'ready', 'failed')),
  failure text,
  title text,
  language text not null,
  instructions text,
  -- Null: all conversations at the time of generation.
  conversation_ids uuid[],
  scheduled_at timestamptz,
  progress real not null default 0, -- from 0 to 1
  published boolean not null default false,
  -- The source of every rendering.
  document jsonb,
  conversation_count integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  deleted_at timestamptz,
  recovered_at timestamptz
);
create index reports_by_project on reports (project_id, id desc) where deleted_at is null;
create unique index reports_published on reports (project_id) where published and deleted_at is null;
comment on column reports.recovered_at is 'When a report whose job was lost got a new one; this happens once.';

-- The conversations that a report quotes, for erasure.
create table report_sources (
  report_id uuid not null references reports,
  conversation_id uuid not null,
  primary key (report_id, conversation_id)
);
create index report_sources_by_conversation on report_sources (conversation_id);

-- Requested exports of a workspace. The zip is generated at each download, so that it contains no data erased since the request.
create table exports (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Whether recordings are included.
  audio boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index exports_of_workspace on exports (workspace_id, expires_at);
