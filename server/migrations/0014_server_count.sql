-- The number of servers of the installation, on the home. A node that lists fewer of them would write to accounts that have moved away.
alter table this_server add column servers integer not null default 1 check (servers >= 1);
