-- For the list of what needs attention, and for lists of failed conversations: without it, both read all conversations of a project.
create index conversations_failed on conversations (project_id, id desc) where status = 'failed' and deleted_at is null;
