-- A move holds its account by a lease, so that a killed command does not keep the account closed.
--
-- held        the account refuses changes until `held_until`. The command renews it
-- placing     the target may have the account, so it refuses changes until the move is finished or undone
-- discarding  the source is a copy that a restore brought back. It refuses changes until its rows are deleted
-- ended       the lease is over and the account is used. A job starts its queues again and deletes the row
alter table account_moves
  -- The default is that of rows that were written before there were leases.
  add column state text not null default 'placing' check (state in ('held', 'placing', 'discarding', 'ended')),
  add column held_until timestamptz(3),
  -- The command. A command that was taken for dead can no longer place the account.
  add column holder uuid,
  add constraint account_moves_lease check (state <> 'held' or (held_until is not null and holder is not null));

-- The first transaction after the end of a lease ends it for good, so that a late command cannot place an account that has changed.
create or replace function pass_moves(in_account uuid) returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lock_of_moves(in_account));
  if not exists (select from account_moves where account_id = in_account and state <> 'ended') then
    return;
  end if;
  update account_moves set state = 'ended'
    where account_id = in_account and state = 'held' and held_until <= clock_timestamp();
  if exists (select from account_moves where account_id = in_account and state <> 'ended') then
    raise exception 'The account % moves to another server.', in_account using errcode = '55V01';
  end if;
end $$;
