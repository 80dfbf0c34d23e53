-- Organisations hold workspaces, workspaces hold projects. Users live in the identity store: here they are only its ids.

create table organisations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  -- A tombstone: gone for every reader at once, its contents are erased after it.
  deleted_at timestamptz
);

create table workspaces (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  name text not null,
  tier text not null default 'free' check (tier in ('free', 'innovator', 'changemaker', 'guardian')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index workspaces_by_organisation on workspaces (organisation_id, id) where deleted_at is null;

create table organisation_members (
  organisation_id uuid not null references organisations,
  user_id text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  created_at timestamptz not null default now(),
  primary key (organisation_id, user_id)
);
create index organisation_members_by_user on organisation_members (user_id);

create table workspace_members (
  workspace_id uuid not null references workspaces,
  user_id text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_by_user on workspace_members (user_id);

create table projects (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  language text not null,
  languages jsonb not null,
  is_open boolean not null,
  title text,
  description text,
  finish_text text,
  ask_name boolean not null,
  ask_email boolean not null,
  tags jsonb not null,
  consent_text text,
  privacy_url text,
  retention_days integer check (retention_days > 0),
  hotwords jsonb not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index projects_by_workspace on projects (workspace_id, id) where deleted_at is null;

-- Somebody is asked by e-mail address; whoever signs in with that address at the identity store may answer.
create table invitations (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  -- Null: an invitation into the organisation itself.
  workspace_id uuid references workspaces,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing', 'external', 'observer')),
  invited_by text not null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index invitations_pending on invitations (organisation_id, workspace_id, email)
  nulls not distinct where state = 'pending';
create index invitations_by_email on invitations (email) where state = 'pending';
