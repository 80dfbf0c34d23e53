-- Long recordings are heard part by part, so that nobody waits for one of them: how far this one was, as long as it is not
-- whole, or when it was given up.
alter table chunks add column heard_ms integer;
