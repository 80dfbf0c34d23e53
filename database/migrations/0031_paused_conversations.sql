-- So that a facilitator can tell a phone that is paused from one that has lost its connection. Like active_at, no index contains it.
alter table conversations add column paused_at timestamptz;
comment on column conversations.paused_at is
  'When the participant''s page last said that recording is paused; null: it was not paused, or has continued.';
