-- Lists and searches of large projects (100,000 conversations) by indexes alone.

-- Words are looked for within a project: its id is one of the words, so that the index itself cuts the two sets.
-- No search can name it: words don't begin with a blank.
update conversation_words set words = words || array_to_tsvector(array[' ' || project_id]);

-- Those that hold all the words of a query, in no order, as far as `most`. By the index, whatever the planner believes: a look
-- into the words of a conversation costs it next to nothing, since it does not know of unpacking them (35 µs each).
create function conversations_with_words(query tsquery, most integer) returns setof uuid
language sql stable parallel safe
set enable_seqscan = off
set enable_indexscan = off
as $$ select conversation_id from conversation_words where words @@ query limit most $$;

create index conversations_by_tag on conversations using gin (tags) where deleted_at is null;
create index conversations_by_start on conversations (project_id, started_at) where deleted_at is null;
create index conversations_by_source on conversations (project_id, source, id desc) where deleted_at is null;
