-- An account that leaves this server. Its transactions fail until the move is over: the row then goes with the account, or the
-- move was given up.
create table account_moves (
  account_id uuid primary key,
  -- The number of the server to which it moves.
  server integer not null check (server >= 1),
  started_at timestamptz(3) not null default now()
);

-- The last statement of each transaction of an account, if there are several servers. A move waits for the transactions that
-- have passed it, and those that come later fail.
create function pass_moves(in_account uuid) returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lock_of_moves(in_account));
  if exists (select from account_moves where account_id = in_account) then
    raise exception 'The account % moves to another server.', in_account using errcode = '55V01';
  end if;
end $$;

create function lock_of_moves(in_account uuid) returns bigint
  language sql immutable parallel safe
  return hashtextextended(in_account::text, 0);
