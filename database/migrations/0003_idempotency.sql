-- The answer to a POST that carried an Idempotency-Key, written in the transaction of its change, kept for 24 hours.
create table idempotency_keys (
  user_id text not null,
  key text not null,
  -- Method, path and body: the same key on another request is a mistake of the caller.
  fingerprint text not null,
  -- Status, headers and body, encrypted: an answer may show a secret that nobody is ever shown again.
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
