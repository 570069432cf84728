-- The server of each account. Only the copy on the first server counts, which is the home of what belongs to no account.
-- An alias is unique on all servers because it is unique here.
create table account_homes (
  account_id uuid primary key,
  alias text not null unique,
  server integer not null default 1 check (server >= 1),
  created_at timestamptz(3) not null default now()
);

insert into account_homes (account_id, alias) select id, alias from accounts;

-- The place of this database among the servers of an installation. Without a row it is the only one.
create table this_server (
  id boolean primary key default true check (id),
  number integer not null check (number >= 1),
  -- The same on all servers.
  installation uuid not null
);
