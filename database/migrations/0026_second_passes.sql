-- A better model transcribes finished conversations again, and its text replaces that of the fast one.
alter table conversations
  add column transcript_model text,
  add column second_pass text check (second_pass in ('waiting', 'done'));
comment on column conversations.transcript_model is 'The model that wrote the transcript; null: unknown, or there is none.';
comment on column conversations.second_pass is 'Null until the transcript of the fast model is complete, and again when audio is transcribed by it.';

-- Only while a second pass waits or runs. If chunks change, the pass ends.
create table second_passes (
  -- In the data of its jobs: a job of a pass that has ended does nothing.
  id uuid primary key default uuid_v7(),
  conversation_id uuid not null unique references conversations,
  -- How far it is, in milliseconds of the transcribed audio.
  done_ms bigint not null default 0,
  advanced_at timestamptz not null default now()
);

create table second_pass_segments (
  pass_id uuid not null references second_passes on delete cascade,
  position integer generated always as identity,
  -- In milliseconds of the transcribed audio.
  start_ms bigint not null,
  end_ms bigint not null,
  text text not null,
  language text,
  confidence real,
  words jsonb,
  primary key (pass_id, position)
);
comment on table second_pass_segments is 'Contains what was said: erased with the conversation.';
