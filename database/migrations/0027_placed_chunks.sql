-- The missing audio of a conversation is computed when a chunk can change it, and once at the end. Corrections are kept by the
-- times of `placed_chunks`.

-- Where each chunk begins. `transcribed_ms` follows `start_ms`, and `lost_ms` (audio that failed) follows that; `missing_ms` (chunks
-- that never arrived) precedes it. Their length comes from the recorder's own times. Where those are unknown or impossible, a
-- missing chunk is as long as the median one; without any, 30 s, the recommended length.
-- With `expected`, chunks that wait to be transcribed have the length of their last transcription, or the median one.
drop function placed_chunks(uuid);
create function placed_chunks(conversation uuid, expected boolean default false)
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
  for chunk in select c.seq, c.state, c.failure, c.container, c.stream_ms, c.duration_ms, c.transcribed_ms from chunks c where c.conversation_id = conversation order by c.seq loop
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
    transcribed_ms := case
      when chunk.state = 'transcribed' then chunk.duration_ms
      when chunk.state = 'stored' and expected then coalesce(chunk.duration_ms, chunk.transcribed_ms, median, 0)
      else coalesce(chunk.transcribed_ms, 0)
    end;
    -- The length of lost audio is not known; a gap must not be empty.
    lost_ms := case chunk.state when 'failed' then greatest(1000, coalesce(median, 0) - transcribed_ms) else 0 end;
    if transcribed_ms > 0 then transcribed_to := start_ms + transcribed_ms; end if;
    clock := start_ms + transcribed_ms + lost_ms;
    previous := seq;
    return next;
  end loop;
end $$;

create or replace function missing_audio(conversation uuid)
returns table (start_ms bigint, end_ms bigint) language sql stable as $$
  select hole.start_ms, hole.end_ms
  from placed_chunks(conversation) p cross join lateral (values
    (p.start_ms - p.missing_ms, p.start_ms, p.missing_ms > 0),
    (p.start_ms + p.transcribed_ms, p.start_ms + p.transcribed_ms + p.lost_ms,
      p.lost_ms > 0 and p.failure in ('unreadable', 'incomplete', 'needs_ffmpeg'))
  ) hole (start_ms, end_ms, is_missing)
  where hole.is_missing
  order by 1
$$;

-- The total of `missing_audio`, after the chunk `changed` was transcribed or has failed. Placing all chunks after each one costs 6 ms at
-- 2,000 chunks. So it is done only where audio is missing at this chunk, or was: where the chunk failed, follows a missing one, or
-- arrived after a later one, or where the previous one did.
create function missing_ms_after(conversation uuid, changed integer) returns bigint language sql stable as $$
  select case
    when chunk.state = 'failed' or chunk.stream_ms is not null or (changed > 0 and previous.received_at is null)
      or chunk.received_at > later.received_at or previous.received_at > chunk.received_at
    then (select coalesce(sum(m.end_ms - m.start_ms), 0)::bigint from missing_audio(conversation) m)
    else (select c.missing_ms from conversations c where c.id = conversation)
  end
  from chunks chunk
  left join chunks previous on previous.conversation_id = conversation and previous.seq = changed - 1
  left join lateral (
    select c.received_at from chunks c where c.conversation_id = conversation and c.seq > changed order by c.seq limit 1
  ) later on true
  where chunk.conversation_id = conversation and chunk.seq = changed
$$;
