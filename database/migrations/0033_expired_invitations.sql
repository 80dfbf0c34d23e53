-- For the list of expired invitations of the user who sent them, which are kept for 7 days.
create index invitations_by_inviter on invitations (invited_by, expires_at) where state = 'pending';
