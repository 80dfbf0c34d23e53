-- A language that few people spoke was looked for in all rows of a project: 0.3 s of CPU time for 100,000 conversations, and the whole
-- table was read. Every update of a conversation changes `changed`, which is in an index already, so this one costs no heap-only update.

create index conversations_by_language on conversations (project_id, coalesce(detected_language, language), id desc)
  where deleted_at is null;
