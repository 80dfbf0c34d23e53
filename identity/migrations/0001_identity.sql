-- Who may sign in, by what, and the sessions that came of it. Of secrets only hashes are kept; the one that is needed in
-- plain (the authenticator's) is sealed by the program.

create table roles (
  id uuid primary key,
  name text not null unique,
  admin_access boolean not null,
  app_access boolean not null
);

-- Fixed ids: roles.ts names them.
insert into roles (id, name, admin_access, app_access) values
  ('00000000-0000-7000-8000-00000000ad01', 'Administrator', true, true),
  ('00000000-0000-7000-8000-00000000ad02', 'Service', false, false);

create table users (
  id uuid primary key,
  email text,
  first_name text,
  last_name text,
  status text not null default 'active' check (status in ('active', 'suspended')),
  role uuid constraint users_role references roles (id),
  password_hash text,
  -- SHA-256 of the static token: tokens are long and random, so a slow hash would add nothing.
  token_hash bytea constraint users_token unique,
  tfa_secret text,
  failed_logins integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now()
);

create unique index users_email on users (lower(email));

-- A session is one login and everything that was refreshed from it: the family that ends as a whole.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('refresh', 'session')),
  created_at timestamptz not null default now()
);

create index sessions_user on sessions (user_id);

-- A rotated token stays until it would have expired, so that its reuse is noticed.
create table session_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  rotated_at timestamptz
);

create index session_tokens_session on session_tokens (session_id);
create index session_tokens_expiry on session_tokens (expires_at);
