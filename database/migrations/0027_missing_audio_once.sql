-- The time of a conversation's missing audio is computed when a chunk can change it, and once at the end.

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
