-- When the last test deliveries of a webhook were sent: at most 10 in any minute, whichever process is asked.
alter table webhooks add column recent_tests timestamptz[] not null default '{}';
