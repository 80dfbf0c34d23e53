-- Long recordings are heard part by part, so that nobody waits for one of them: how far this one was, as long as it is not
-- whole, or when it was given up.
alter table chunks add column heard_ms integer;
-- Its job came before the chunk before it was heard, and is gone: whoever hears that one enqueues another.
alter table chunks add column waits boolean not null default false;

-- What came to a stop is looked for among these.
create index conversations_being_processed on conversations (finished_at)
  where status in ('transcribing', 'summarizing') and deleted_at is null;
