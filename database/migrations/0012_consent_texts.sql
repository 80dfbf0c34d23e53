-- Every consent text that a project ever had: a conversation's consent names the one that was agreed to by its digest.
create table consent_texts (
  project_id uuid not null references projects,
  -- SHA-256 of the text, in hex.
  version text not null,
  -- The project's, when the text was set.
  language text not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, version)
);

insert into consent_texts (project_id, version, language, text)
select id, encode(sha256(convert_to(consent_text, 'UTF8')), 'hex'), language, consent_text
from projects where consent_text is not null and deleted_at is null;

-- A trigger, since a running program of the version before sets texts too.
create function keep_consent_text() returns trigger language plpgsql as $$
begin
  insert into consent_texts (project_id, version, language, text)
  values (new.id, encode(sha256(convert_to(new.consent_text, 'UTF8')), 'hex'), new.language, new.consent_text)
  on conflict do nothing;
  return null;
end $$;
create trigger projects_consent_text after insert or update of consent_text on projects
  for each row when (new.consent_text is not null) execute function keep_consent_text();
