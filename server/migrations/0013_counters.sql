-- breaking

-- Requests of one key, counted in a window that begins with the first one: tries of a password, look-ups of accounts and what
-- visitors write. The keys are keyed hashes, so that a backup does not reveal them. They belong to no account. Counters of the
-- tables before are forgotten, whose windows were an hour or a day.
create table counters (
  key bytea primary key,
  requests integer not null,
  ends_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);

-- For the sweep.
create index counters_by_end on counters (ends_at);

drop table login_throttles;
drop table visitor_counts;
drop table visit_counts;
