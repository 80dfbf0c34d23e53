-- Deliveries that become due in the same moment (a replay's, a backlog's after an outage) shared one entry of the index, and
-- an entry is passed over only once all of its deliveries are over: until then each claim met all that were over already.
create or replace function add_log_day(day date) returns void language plpgsql as $$
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
  -- PostgreSQL takes no such setting for the index of the whole log, only for those of its days.
  for child in
    select c.oid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries_pending'::regclass and c.reloptions is null
  loop
    execute format('alter index %s set (deduplicate_items = off)', child);
  end loop;
end
$$;

select add_log_day((now() at time zone 'UTC')::date);
