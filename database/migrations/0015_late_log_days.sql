-- A day that nobody made in time has its rows in the default partition, which PostgreSQL then refuses to make the day beside:
-- it was refused at each try, and no day after it was made either. The rows are moved.
create or replace function add_log_day(day date) returns void language plpgsql as $$
declare
  parent text;
  child text;
  key text;
  first uuid := uuid_floor(day::timestamp at time zone 'UTC');
  next uuid := uuid_floor((day + 1)::timestamp at time zone 'UTC');
begin
  foreach parent in array array['events', 'deliveries', 'attempts'] loop
    child := parent || to_char(day, '_YYYYMMDD');
    continue when to_regclass(child) is not null;
    key := case parent when 'attempts' then 'delivery_id' else 'id' end;
    -- Nobody may add a row while they move.
    execute format('lock table only %I in access exclusive mode', parent);
    execute format('create unlogged table late_rows as select * from %1$I where %2$I >= %3$L and %2$I < %4$L',
      parent || '_default', key, first, next);
    execute format('delete from %1$I where %2$I >= %3$L and %2$I < %4$L', parent || '_default', key, first, next);
    execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent, first, next);
    execute format('insert into %I select * from late_rows', parent);
    drop table late_rows;
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
