-- Segments get ids that clients can refer to, and the details that engines report. Corrections and names of speakers are new.

alter table segments
  -- The default also numbers the rows of older versions, and those that an older version inserts during an upgrade.
  add column id uuid not null default uuid_v7(),
  -- ISO 639-1; null: that of the conversation.
  add column language text,
  -- From 0 to 1; null: the engine does not report it.
  add column confidence real,
  -- The same for each word, where the engine reports it: [{text, start_ms, end_ms, confidence}].
  add column words jsonb,
  -- The engine's label; `conversations.speakers` has the names.
  add column speaker text,
  -- The transaction that last changed it, for streams; 0 in rows of older versions, which streams leave out.
  add column changed xid8 not null default '0',
  add column changed_at timestamptz;
alter table segments alter column changed set default pg_current_xact_id(), alter column changed_at set default now();
create unique index segments_by_id on segments (id);
create index segments_in_order on segments (conversation_id, changed, id);

alter table conversations add column speakers jsonb;
comment on column conversations.speakers is 'Names that hosts gave to speakers, by the label of the engine.';

-- The engine's text stays in `segments`. A correction outlives its segment when the audio is transcribed again: the new segment
-- of the same time gets its id.
create table segment_corrections (
  segment_id uuid primary key,
  conversation_id uuid not null references conversations,
  -- Where the segment is, or was last: times from the start of the chunk.
  chunk_seq integer not null,
  start_ms integer not null,
  end_ms integer not null,
  text text not null,
  edited_by text not null,
  edited_at timestamptz not null default now()
);
create index segment_corrections_by_conversation on segment_corrections (conversation_id);
comment on table segment_corrections is 'Text that a host wrote instead of the engine''s.';

create table removed_segments (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  changed xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index removed_segments_in_order on removed_segments (conversation_id, changed, id);
comment on table removed_segments is 'Ids of segments that were transcribed again within the last day, for streams.';

-- Summaries named segments by chunk and position.
update conversations c set summary = jsonb_set(c.summary, '{points}', (
  select coalesce(jsonb_agg(jsonb_set(point, '{segments}', (
    select coalesce(jsonb_agg(coalesce(to_jsonb(s.id), ref) order by ref_at), '[]')
    from jsonb_array_elements(point -> 'segments') with ordinality as refs (ref, ref_at)
    left join segments s on s.conversation_id = c.id and s.chunk_seq || '.' || s.position = ref #>> '{}'
  )) order by point_at), '[]')
  from jsonb_array_elements(c.summary -> 'points') with ordinality as points (point, point_at)
))
where c.summary is not null;
