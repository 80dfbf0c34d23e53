-- A workspace that somebody asked for as a zip. The zip itself is made anew whenever it is read, from what is there then, so that
-- nothing that was erased lives on in it.
create table exports (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Whether the recordings come along.
  audio boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index exports_of_workspace on exports (workspace_id, expires_at);
