-- Notes that a language model took on a conversation, so that the next report does not ask for them again.
create table conversation_notes (
  conversation_id uuid not null references conversations,
  -- The language of the notes.
  language text not null,
  revision integer not null,
  -- A hash of all that the notes depend on: transcript, model, prompt.
  key text not null,
  notes jsonb not null,
  created_at timestamptz not null default now(),
  primary key (conversation_id, language)
);
comment on table conversation_notes is 'Contains what was said: erased with the conversation.';

-- Names in quotations of a published report are hidden unless the host decides otherwise.
alter table reports add column redact_names boolean not null default true;
