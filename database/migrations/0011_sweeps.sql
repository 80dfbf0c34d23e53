-- Workers look every ten seconds for what is past its time. Each look goes by an index, and reads no more than it finds.

-- What is past its project's retention.
create index projects_with_retention on projects (id) where retention_days is not null and deleted_at is null;
create index conversations_by_finish on conversations (project_id, finished_at)
  where deleted_at is null and status <> 'recording';

-- Deleted projects whose conversations are not deleted yet. No column of the project's: a running program of the version before
-- has planned `select p.*` for good. A trigger, since that program deletes projects too.
create table projects_to_empty (
  project_id uuid primary key references projects
);
create function note_deleted_project() returns trigger language plpgsql as $$
begin
  insert into projects_to_empty (project_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger projects_deleted after update of deleted_at on projects
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_deleted_project();
insert into projects_to_empty (project_id) select id from projects where deleted_at is not null;

-- What was erased, whose files may come back with a backup.
create index conversations_erased on conversations (id) where erased_at is not null;
