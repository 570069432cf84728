-- The home page reads the follow-ups of the coming days.
create index notes_open_follow_ups on notes (account_id, follow_up_on, id) where follow_up_status = 'open';
