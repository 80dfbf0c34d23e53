-- A chunk or a heartbeat touches its conversation's row. While the time of that stood in an index, every touch wrote to all
-- indexes of the row; now it writes to none, if its page has room for the new version.
create index conversations_being_recorded on conversations (id) where status = 'recording' and deleted_at is null;
alter table conversations set (fillfactor = 80);
drop index conversations_to_finish;
