-- Members edit reports. The current version is in reports.document, earlier ones are in report_versions.
alter table reports
  add column version integer not null default 1,
  add column published_version integer,
  add column edited_by text,
  add column edited_at timestamptz,
  add column restored_from integer;
comment on column reports.version is 'Of reports.document; version 1 is the generated one.';
comment on column reports.published_version is 'The version that everyone can read; null where published is false, or where an older program has published it.';
update reports set published_version = 1 where published;

create table report_versions (
  report_id uuid not null references reports,
  number integer not null,
  document jsonb not null,
  -- Null: generated.
  created_by text,
  created_at timestamptz not null,
  restored_from integer,
  primary key (report_id, number)
);
