-- Conversations: recorded in numbered chunks or written, transcribed, summarised. Audio lies in the file store, under keys that
-- are made from the ids here.

create table conversations (
  id uuid primary key,
  project_id uuid not null references projects,
  status text not null check (status in ('recording', 'transcribing', 'summarizing', 'done', 'failed')),
  -- Why it failed, in a word; a conversation that ended well has none.
  failure text,
  source text not null check (source in ('portal_audio', 'portal_text', 'upload')),
  -- Grows when its events fire again.
  revision integer not null default 1,
  -- As chosen by whoever started it; null: the project's.
  language text,
  -- As heard; null until then.
  heard_language text,
  participant_name text,
  participant_email text,
  tags text[] not null default '{}',
  title text,
  -- Points with the segments they rest on, and how they were made.
  summary jsonb,
  -- SHA-256 of what proves "I started this recording"; null of a host's upload.
  token_digest bytea,
  -- The digest of the text that was agreed to, its language, when.
  consent jsonb,
  started_at timestamptz not null default now(),
  -- The last sign of life: a chunk, a text, a heartbeat.
  active_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Whether the participant said so; else the service did, after a silence.
  finished_by_participant boolean not null default false,
  duration_ms bigint not null default 0,
  bytes bigint not null default 0,
  -- The chunks as one file that browsers play; null until it was made.
  audio jsonb,
  -- The transaction that last changed what a stream tells of.
  changed xid8 not null default pg_current_xact_id(),
  deleted_at timestamptz,
  erased_at timestamptz
);
create index conversations_in_order on conversations (project_id, changed, id);
create index conversations_by_project on conversations (project_id, id desc) where deleted_at is null;
create index conversations_to_finish on conversations (active_at) where status = 'recording' and deleted_at is null;
create index conversations_to_erase on conversations (deleted_at) where deleted_at is not null and erased_at is null;

create table chunks (
  conversation_id uuid not null references conversations,
  seq integer not null check (seq between 0 and 99999),
  -- SHA-256: the same bytes again are no new chunk, others under its number a conflict.
  digest bytea not null,
  bytes bigint not null,
  -- Null: no file of its own, but the continuation of the chunk before it.
  container text,
  received_at timestamptz not null default now(),
  recorded_at timestamptz,
  state text not null default 'stored' check (state in ('stored', 'transcribed', 'failed')),
  failure text,
  -- Known once it was decoded.
  duration_ms integer,
  language text,
  primary key (conversation_id, seq)
);

-- What a participant wrote instead of speaking.
create table writings (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  content text not null,
  written_at timestamptz not null default now()
);
create index writings_by_conversation on writings (conversation_id, id);

create table segments (
  conversation_id uuid not null references conversations,
  chunk_seq integer not null,
  place integer not null,
  -- From the beginning of the chunk: a chunk that comes late moves those after it.
  start_ms integer not null,
  end_ms integer not null,
  text text not null,
  primary key (conversation_id, chunk_seq, place)
);

-- Words of transcript, title and summary, kept apart so that lists read no more than they show.
create table conversation_words (
  conversation_id uuid primary key references conversations,
  project_id uuid not null,
  words tsvector not null
);
create index conversation_words_by_word on conversation_words using gin (words);

-- Reports over many conversations. Each is a version of its own; at most one of a project is public.
create table reports (
  id uuid primary key,
  project_id uuid not null references projects,
  status text not null check (status in ('scheduled', 'generating', 'ready', 'failed')),
  failure text,
  title text,
  language text not null,
  instructions text,
  -- Null: all there are when it is made.
  conversation_ids uuid[],
  scheduled_at timestamptz,
  -- From 0 to 1.
  progress real not null default 0,
  published boolean not null default false,
  -- What every rendering is made from.
  document jsonb,
  conversation_count integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  deleted_at timestamptz
);
create index reports_by_project on reports (project_id, id desc) where deleted_at is null;
create unique index reports_published on reports (project_id) where published and deleted_at is null;

-- Which conversations a report speaks of, so that an erasure finds them.
create table report_sources (
  report_id uuid not null references reports,
  conversation_id uuid not null,
  primary key (report_id, conversation_id)
);
create index report_sources_by_conversation on report_sources (conversation_id);
