-- When a report whose job was lost was taken up again: once, since whatever ends its worker each time would go on for ever.
alter table reports add column renewed_at timestamptz;
