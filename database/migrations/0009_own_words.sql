-- A title or tags that a host chose stay when a conversation is summarised again.
alter table conversations
  add column own_title boolean not null default false,
  add column own_tags boolean not null default false;
