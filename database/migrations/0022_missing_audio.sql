-- A chunk that never arrives keeps its length in the transcript and in the joined audio.

alter table chunks add column stream_ms integer;
comment on column chunks.stream_ms is
  'Set for a chunk that was transcribed although the one before it is missing: its time in the recorder''s stream, -1 if unknown.';

alter table conversations add column missing_ms bigint not null default 0;
comment on column conversations.missing_ms is 'Audio that never arrived or cannot be decoded.';

-- Where each chunk begins. `transcribed_ms` follows `start_ms`, and `lost_ms` (audio that failed) follows that; `missing_ms` (chunks
-- that never arrived) precedes it. Their length comes from the recorder's own times. Where those are unknown or impossible, a
-- missing chunk is as long as the median one; without any, 30 s, the recommended length.
create function placed_chunks(conversation uuid)
returns table (
  seq integer, state text, failure text, start_ms bigint, transcribed_ms bigint, lost_ms bigint, missing_ms bigint
) language plpgsql stable as $$
declare
  chunk record;
  median bigint;
  previous integer := -1;
  -- Where the next chunk begins, and how much of it is exact: lost audio after that has an estimated length.
  clock bigint := 0;
  transcribed_to bigint := 0;
  file_start bigint := 0;
begin
  select percentile_disc(0.5) within group (order by c.duration_ms) into median from chunks c
  where c.conversation_id = conversation and c.duration_ms > 0;
  for chunk in select * from chunks c where c.conversation_id = conversation order by c.seq loop
    seq := chunk.seq;
    state := chunk.state;
    failure := chunk.failure;
    -- At most an hour: a number far ahead must not move later chunks by days.
    missing_ms := least((seq - previous - 1) * coalesce(median, 30000), 3600000);
    start_ms := clock + missing_ms;
    if chunk.container is not null then
      file_start := start_ms;
    elsif chunk.stream_ms >= 0 and file_start + chunk.stream_ms >= transcribed_to
      and file_start + chunk.stream_ms - transcribed_to <= 2 * (start_ms - transcribed_to) + 5000 then
      start_ms := file_start + chunk.stream_ms;
      missing_ms := greatest(0, start_ms - clock);
    end if;
    transcribed_ms := case chunk.state when 'transcribed' then chunk.duration_ms else coalesce(chunk.transcribed_ms, 0) end;
    -- The length of lost audio is not known; a gap must not be empty.
    lost_ms := case chunk.state when 'failed' then greatest(1000, coalesce(median, 0) - transcribed_ms) else 0 end;
    if transcribed_ms > 0 then transcribed_to := start_ms + transcribed_ms; end if;
    clock := start_ms + transcribed_ms + lost_ms;
    previous := seq;
    return next;
  end loop;
end $$;

-- The missing audio of a conversation, with the times at which it is missing.
create function missing_audio(conversation uuid)
returns table (start_ms bigint, end_ms bigint) language sql stable as $$
  select p.start_ms - p.missing_ms, p.start_ms from placed_chunks(conversation) p where p.missing_ms > 0
  union all
  select p.start_ms + p.transcribed_ms, p.start_ms + p.transcribed_ms + p.lost_ms from placed_chunks(conversation) p
  where p.lost_ms > 0 and p.failure in ('unreadable', 'incomplete', 'needs_ffmpeg')
  order by 1
$$;

update conversations set missing_ms = (select coalesce(sum(m.end_ms - m.start_ms), 0) from missing_audio(id) m)
where id in (
  select conversation_id from chunks group by conversation_id
  having count(*) <= max(seq) or count(*) filter (where state = 'failed') > 0
);
