-- Why there is no joined audio and will be none: null while it is being made, or where there is some. It is cleared when
-- chunks are transcribed again or more of them arrive.
alter table conversations add column audio_failure text;

-- For the task that joins audio which was never joined; it marks conversations without chunks, so that the index stays small.
create index conversations_without_audio on conversations (finished_at)
  where audio is null and audio_failure is null and deleted_at is null and status in ('summarizing', 'done', 'failed');
