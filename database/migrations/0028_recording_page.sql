-- What the recording page shows and links to: an accent colour, a logo, a short link, and the code of a conversation.

-- Eight characters, without those that look alike (0 O, 1 I L, U V). The bits are from a UUID, because random() can be predicted.
create function random_code() returns text language plpgsql volatile as $$
declare
  bits bigint := ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint;
  code text := '';
begin
  for position in 1..8 loop
    code := code || substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (bits % 30)::integer, 1);
    bits := bits / 30;
  end loop;
  return code;
end $$;

alter table projects
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  add column logo jsonb,
  add column short_code text;
comment on column projects.logo is 'The key of the file, the digest of its content, its size and dimensions; null: no logo.';
comment on column projects.short_code is 'Of the short link. A deleted project keeps it, so that a printed link never leads to another project.';
create unique index projects_by_short_code on projects (short_code);

-- With 100,000 projects, one of six million new codes is in use already.
create function new_short_code() returns text language plpgsql volatile set enable_seqscan = off as $$
declare
  code text;
begin
  loop
    code := random_code();
    exit when not exists (select from projects where short_code = code);
  end loop;
  return code;
end $$;
-- One statement per project, because a statement does not see the codes that it has assigned itself.
do $$
declare
  project record;
begin
  for project in select id from projects loop
    update projects set short_code = new_short_code() where id = project.id;
  end loop;
end $$;
-- The default also serves projects that an older version inserts during an upgrade.
alter table projects alter column short_code set default new_short_code(), alter column short_code set not null;

alter table conversations add column code text;
comment on column conversations.code is 'Names the conversation on the receipt of the participant; null after its erasure.';
update conversations set code = random_code() where deleted_at is null;
do $$
begin
  loop
    update conversations c set code = random_code()
    from (
      select id, row_number() over (partition by project_id, code order by id) as number
      from conversations where code is not null
    ) same
    where same.id = c.id and same.number > 1;
    exit when not found;
  end loop;
end $$;
create unique index conversations_by_code on conversations (project_id, code);

-- A connection keeps the plan of the query: one made while the table was small would read all of a large table.
create function set_conversation_code() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  loop
    new.code := random_code();
    exit when not exists (select from conversations where project_id = new.project_id and code = new.code);
  end loop;
  return new;
end $$;
create trigger conversations_code before insert on conversations
  for each row when (new.code is null) execute function set_conversation_code();
