-- The time at which `changed` was set, so that a stream can start at a time. Null for rows that have not changed since this
-- migration. A trigger sets it: versions of the program that do not know the column set `changed` too.
alter table conversations add column changed_at timestamptz;
alter table conversations alter column changed_at set default now();

create function note_time_of_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end
$$;

create trigger conversations_note_time_of_change before update of changed on conversations
for each row execute function note_time_of_change();
