-- Deliveries that become due in the same moment (a replay's, a backlog's after an outage) shared one entry of the index, and
-- an entry is passed over only once all of its deliveries are over: until then each claim met all that were over already.
alter function add_log_day(date) rename to add_log_tables;

create function add_log_day(day date) returns void language plpgsql as $$
declare
  child regclass;
begin
  perform add_log_tables(day);
  -- PostgreSQL takes no such setting for the index of the whole log, only for those of its days.
  for child in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries_pending'::regclass and c.reloptions is null
  loop
    execute format('alter index %s set (deduplicate_items = off)', child);
  end loop;
end
$$;

select add_log_day((now() at time zone 'UTC')::date);
