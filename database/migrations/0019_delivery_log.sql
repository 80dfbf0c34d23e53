-- When the last test deliveries of a webhook were sent: at most 10 in any minute, whichever process is asked.
alter table webhooks add column recent_tests timestamptz[] not null default '{}';

-- The deliveries of an event are found by its time, except those that were made later. Few deliveries are of these kinds, so that
-- the others do not pay for it.
create index deliveries_made_later on deliveries (event_id) where kind <> 'event';
