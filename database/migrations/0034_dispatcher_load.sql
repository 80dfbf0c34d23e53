-- Dispatchers share the endpoint queues among themselves by what each of them publishes here.
alter table dispatchers
  add column busy_queues integer not null default 0,
  add column requests_per_second real;

comment on column dispatchers.busy_queues is 'Endpoint queues it holds that sent a request in the last second';
comment on column dispatchers.requests_per_second is 'What it can send; null while it is not fully used, since it could send more';
