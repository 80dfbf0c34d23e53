-- The first slice of a recording counted as 30 s if it was missing and no other could be decoded, and undecodable slices as 1 s, although
-- the recorder was told to send slices of 5 s.

alter table conversations add column chunk_seconds smallint;
comment on column conversations.chunk_seconds is
  'The length of a chunk that the response to the start recommended. Null for uploads and for conversations of earlier versions.';

-- As before, but without a median, missing and undecodable chunks have the recommended length.
create or replace function placed_chunks(conversation uuid, expected boolean default false)
returns table (
  seq integer, state text, failure text, start_ms bigint, transcribed_ms bigint, lost_ms bigint, missing_ms bigint
) language plpgsql stable as $$
declare
  chunk record;
  median bigint;
  recommended bigint;
  -- The length of a chunk that is missing, and of one that cannot be decoded. A file that a host uploaded can have any length.
  usual bigint;
  usual_lost bigint;
  previous integer := -1;
  announced integer;
  -- Where the next chunk begins, and how much of it is exact: lost audio after that has an estimated length.
  clock bigint := 0;
  transcribed_to bigint := 0;
  file_start bigint := 0;
begin
  select percentile_disc(0.5) within group (order by c.duration_ms) into median from chunks c
  where c.conversation_id = conversation and c.duration_ms > 0;
  select c.announced_chunks, c.chunk_seconds * 1000 into announced, recommended from conversations c where c.id = conversation;
  usual := coalesce(median, recommended, 30000);
  usual_lost := coalesce(median, recommended, 0);
  for chunk in select c.seq, c.state, c.failure, c.container, c.stream_ms, c.duration_ms, c.transcribed_ms from chunks c where c.conversation_id = conversation order by c.seq loop
    seq := chunk.seq;
    state := chunk.state;
    failure := chunk.failure;
    -- At most an hour: a number far ahead must not move later chunks by days.
    missing_ms := least((seq - previous - 1) * usual, 3600000);
    start_ms := clock + missing_ms;
    if chunk.container is not null then
      file_start := start_ms;
    elsif chunk.stream_ms >= 0 and file_start + chunk.stream_ms >= transcribed_to
      and file_start + chunk.stream_ms - transcribed_to <= 2 * (start_ms - transcribed_to) + 5000 then
      start_ms := file_start + chunk.stream_ms;
      missing_ms := greatest(0, start_ms - clock);
    end if;
    transcribed_ms := case
      when chunk.state = 'transcribed' then chunk.duration_ms
      when chunk.state = 'stored' then coalesce(chunk.duration_ms, chunk.transcribed_ms, case when expected then median end, 0)
      else coalesce(chunk.transcribed_ms, 0)
    end;
    -- The length of lost audio is not known; a gap must not be empty.
    lost_ms := case chunk.state when 'failed' then greatest(1000, usual_lost - transcribed_ms) else 0 end;
    if transcribed_ms > 0 then transcribed_to := start_ms + transcribed_ms; end if;
    clock := start_ms + transcribed_ms + lost_ms;
    previous := seq;
    return next;
  end loop;
  if announced > previous + 1 then
    seq := announced;
    state := null;
    failure := null;
    missing_ms := least((announced - previous - 1) * usual, 3600000);
    start_ms := clock + missing_ms;
    transcribed_ms := 0;
    lost_ms := 0;
    return next;
  end if;
end $$;
