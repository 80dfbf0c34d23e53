-- By which edition of the program's rules words were cut. Those of an older one are cut anew in the background, and leave the
-- index by that.
alter table conversation_words add column edition smallint not null default 1;
create index conversation_words_to_renew on conversation_words (conversation_id) where edition < 2;
