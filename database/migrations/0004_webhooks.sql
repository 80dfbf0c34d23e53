-- Webhooks, the events they are told of, and the log of deliveries and attempts.

-- UUID version 7 by the database's clock: ids sort by time, and the log is partitioned by them.
create function uuid_v7() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The smallest id of a moment: `id >= uuid_floor(now() - interval '4 days')` leaves older partitions out of a plan.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(greatest(0, extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- When the payloads of a deleted project were erased.
alter table projects add column erased_at timestamptz;
create index projects_to_erase on projects (id) where deleted_at is not null and erased_at is null;

create table webhooks (
  id uuid primary key,
  project_id uuid not null references projects,
  name text,
  url text not null,
  events text[] not null,
  payload text not null default 'full' check (payload in ('full', 'ids')),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing', 'staff', 'secret_unreadable')),
  -- The last time that it was disabled: what was pending then is missed, also when it was enabled again at once.
  halted_at timestamptz,
  -- Encrypted. Each new secret has a higher version, so that an attempt can say which one signed it.
  secret text,
  secret_version integer not null default 0,
  secret_strength text check (secret_strength in ('weak', 'ok')),
  previous_secret text,
  previous_valid_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (enabled = (disabled_reason is null))
);
create index webhooks_by_project on webhooks (project_id, id) where deleted_at is null;

-- The processes that deliver. Their lanes are theirs while the lease holds.
create table dispatchers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null
);

-- One webhook's way out: who holds it, and how its receiver has been doing.
create table lanes (
  webhook_id uuid primary key references webhooks,
  owner uuid,
  -- Grows with every change of hands: whoever writes with an older number has lost the lane.
  fence bigint not null default 0,
  consecutive_failures integer not null default 0,
  -- The breaker is open while this is set: one attempt at a time, not before then.
  probe_at timestamptz,
  failed_probes integer not null default 0,
  failing_since timestamptz,
  failures_since_success integer not null default 0,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  last_status integer
) with (fillfactor = 50);

-- The same change of state makes one event, however often and however much later it is tried: never removed, and small.
create table event_keys (
  key text primary key,
  event_id uuid not null
);

create table events (
  id uuid primary key,
  project_id uuid not null,
  type text not null,
  -- What the event is about, so that an erasure finds it.
  subject_id uuid not null,
  occurred_at timestamptz not null,
  -- The transaction that wrote it: readers stop below the oldest one that is still open, so that none is skipped.
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
  -- A later delivery of the same event took its place.
  superseded_by uuid,
  primary key (webhook_id, id)
) partition by range (id);
create index deliveries_pending on deliveries (webhook_id, due_at) where status = 'pending';
create index deliveries_undelivered on deliveries (webhook_id, status, id) where status in ('failed', 'missed');
create index deliveries_of_replay on deliveries (replay_id, status) where replay_id is not null;

create table attempts (
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  -- The rest of what is known, which no statement asks for by itself: timings, address, hash, secret version, answer.
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
  -- How far it got: the last event or delivery that was taken over.
  position uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index replays_running on replays (id) where state = 'running';

-- A day's partitions of the log. What falls into no day (a clock that is far off) lands in the default ones.
create table events_default partition of events default;
create table deliveries_default partition of deliveries default;
create table attempts_default partition of attempts default;

create function add_log_day(day date) returns void language plpgsql as $$
declare
  parent text;
  child text;
begin
  foreach parent in array array['events', 'deliveries', 'attempts'] loop
    child := parent || to_char(day, '_YYYYMMDD');
    continue when to_regclass(child) is not null;
    execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
      uuid_floor(day::timestamp at time zone 'UTC'), uuid_floor((day + 1)::timestamp at time zone 'UTC'));
  end loop;
end
$$;

select add_log_day(day::date)
from generate_series((now() at time zone 'UTC')::date - 1, (now() at time zone 'UTC')::date + 7, interval '1 day') as day;
