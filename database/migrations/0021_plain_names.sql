-- minimum: 21
-- Tables and columns get the names that the documentation uses. Programs that know the old names can't run on this schema,
-- so stop all of them before the upgrade.

alter table lanes rename to endpoint_queues;
alter index lanes_pkey rename to endpoint_queues_pkey;
alter table endpoint_queues rename constraint lanes_webhook_id_fkey to endpoint_queues_webhook_id_fkey;
alter table endpoint_queues rename column probe_at to trial_at;
alter table endpoint_queues rename column failed_probes to failed_trials;
comment on table endpoint_queues is 'One row per webhook: the dispatcher that owns its queue, and the health of its endpoint.';
comment on column endpoint_queues.fence is
  'Grows with each change of owner. A dispatcher that writes with an older number has lost the queue.';
comment on column endpoint_queues.trial_at is
  'Set while the circuit breaker is open: one trial request at a time, not before this time.';

alter table webhooks rename column halted_at to disabled_at;
comment on column webhooks.disabled_at is
  'The last time the webhook was disabled. Deliveries pending then are missed, even if it was enabled again.';

alter function add_log_day(date) rename to add_partitions;
comment on function add_partitions(date) is
  'Creates the partitions of one day for events, deliveries and attempts, and moves rows into them from the default partitions.';

alter table writings rename to text_entries;
alter index writings_pkey rename to text_entries_pkey;
alter index writings_by_conversation rename to text_entries_by_conversation;
alter table text_entries rename constraint writings_conversation_id_fkey to text_entries_conversation_id_fkey;
comment on table text_entries is 'Text that a participant typed instead of speaking.';

alter table conversations rename column heard_language to detected_language;
comment on column conversations.detected_language is 'The language of the first transcribed chunk; null until then.';

alter table chunks rename column heard_ms to transcribed_ms;
comment on column chunks.transcribed_ms is
  'How much of a long chunk is transcribed, while the rest is not or after the rest has failed.';
alter table chunks rename column waits to waits_for_previous;
comment on column chunks.waits_for_previous is
  'Its job ended because the previous chunk was not transcribed; transcribing that one enqueues a new job.';

alter table segments rename column place to position;

alter table conversation_words rename column edition to tokenizer_version;
alter index conversation_words_to_renew rename to conversation_words_outdated;
comment on column conversation_words.tokenizer_version is
  'The version of the word-splitting rules. Rows of an older version are indexed again in the background.';

alter table reports rename column renewed_at to recovered_at;
comment on column reports.recovered_at is 'When a report whose job was lost got a new one; this happens once.';

alter table idempotency_keys rename column answer to response;
comment on column idempotency_keys.response is 'Status, headers and body, encrypted: a response can contain a secret that is shown once.';
