-- Who did what, in the same transaction as the deed. No foreign keys: the log outlives what it speaks of.
create table audit_log (
  id uuid primary key,
  -- When it was done, not when its transaction began: a deed that waited for another comes after it.
  at timestamptz not null default clock_timestamp(),
  actor_id text not null,
  actor_staff boolean not null,
  action text not null,
  organisation_id uuid,
  -- The second organisation of a deed that concerns two: where a transferred workspace went.
  to_organisation_id uuid,
  workspace_id uuid,
  target_kind text not null,
  target_id text not null,
  reason text,
  details jsonb not null,
  request_id text not null
);
create index audit_log_by_organisation on audit_log (organisation_id, id desc);
create index audit_log_by_to_organisation on audit_log (to_organisation_id, id desc) where to_organisation_id is not null;

-- Append-only: a row that could be altered proves nothing.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
