-- The time step (RFC 6238) of the user's last accepted one-time code. A code of this step or an earlier one is refused.
alter table users add column last_otp_step integer;

-- Addresses from which a user has signed in. Each has its own count of failures, so that failures at other addresses do not
-- lock the user out here. The address is kept as a keyed digest.
create table known_addresses (
  user_id uuid not null references users (id) on delete cascade,
  address bytea not null,
  failed_logins integer not null default 0,
  locked_until timestamptz,
  last_login_at timestamptz not null default now(),
  primary key (user_id, address)
);

create index known_addresses_age on known_addresses (last_login_at);
