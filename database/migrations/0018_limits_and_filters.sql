-- Who created an organisation: the limit of organisations per user counts by it. Ownership would not do, since others can
-- make a user the owner of as many organisations as they like. Null where the audit log does not show it.
alter table organisations add column created_by text;
update organisations o set created_by = a.actor_id
  from audit_log a where a.action = 'organisation.created' and a.organisation_id = o.id;
create index organisations_by_creator on organisations (created_by) where deleted_at is null;

-- Filters of the audit log.
create index audit_log_by_actor on audit_log (actor_id, id desc);
create index audit_log_by_target on audit_log (target_id, id desc);
create index audit_log_by_workspace on audit_log (workspace_id, id desc) where workspace_id is not null;
