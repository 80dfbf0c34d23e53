-- API processes share rate limits, slots and locks here. Unlogged: the content is worth nothing after a crash, and needs no WAL.

create unlogged table api_processes (
  id uuid primary key,
  lease_until timestamptz not null
);
comment on table api_processes is 'One row per API process. A process whose lease has ended does not count, and holds nothing.';

create unlogged table rate_limit_buckets (
  key uuid primary key,
  tokens double precision not null,
  refilled_at timestamptz not null
) with (fillfactor = 50);
comment on table rate_limit_buckets is
  'Token buckets that all API processes share. The key is a digest of the limit and, for example, the client address.';
comment on column rate_limit_buckets.tokens is
  'Negative if processes allowed more requests than there were tokens before they reported them.';

-- For each bucket: subtracts the tokens that the process has spent without asking, and leases up to `wants` whole tokens of the rest to it.
-- Returns one row for each key. Buckets are locked in the order of their keys, so that two processes cannot deadlock.
create function lease_tokens(keys uuid[], sizes double precision[], debts double precision[], wants double precision[])
returns table (key uuid, leased double precision, tokens double precision) language plpgsql as $$
declare
  asked record;
begin
  for asked in
    select a.* from unnest(keys, sizes, debts, wants) as a (key, size, debt, want) order by a.key
  loop
    insert into rate_limit_buckets as b values (asked.key, asked.size, clock_timestamp()) on conflict do nothing;
    select least(asked.size, b.tokens + asked.size / 60 * greatest(0, extract(epoch from clock_timestamp() - b.refilled_at)))
    into lease_tokens.tokens
    from rate_limit_buckets b where b.key = asked.key for update;
    tokens := greatest(-asked.size, coalesce(tokens, asked.size) - asked.debt);
    leased := least(asked.want, greatest(0, floor(tokens)));
    tokens := tokens - leased;
    key := asked.key;
    update rate_limit_buckets b set tokens = lease_tokens.tokens, refilled_at = clock_timestamp() where b.key = asked.key;
    return next;
  end loop;
end $$;

create unlogged table held_slots (
  key uuid not null,
  id uuid not null,
  process_id uuid not null references api_processes on delete cascade,
  wanted boolean not null default false,
  primary key (key, id)
);
comment on table held_slots is 'Event streams, downloads and locks that API processes hold while several are alive.';
comment on column held_slots.wanted is 'Whether a request at another process waits for this slot; then its holder ends the request that holds it.';
create index held_slots_by_process on held_slots (process_id);

-- Takes one slot of each key, or none if a key has no free slot. Returns the position of that key, from 1; null if all were taken.
create function take_slots(process uuid, slot uuid, keys uuid[], maxima integer[]) returns integer language plpgsql as $$
declare
  full_at integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('slot ' || one::text, 0)) from (select unnest(keys) as one order by 1) sorted;
  select n into full_at
  from unnest(keys, maxima) with ordinality as asked (key, maximum, n)
  where maximum <= (
    select count(*) from held_slots h join api_processes p on p.id = h.process_id
    where h.key = asked.key and h.id <> slot and p.lease_until > now()
  )
  order by n limit 1;
  if full_at is null then
    insert into held_slots (key, id, process_id) select unnest(keys), slot, process on conflict do nothing;
  end if;
  return full_at;
end $$;
