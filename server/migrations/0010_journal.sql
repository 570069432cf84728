-- Every change of a resource of an account, in the order in which the transactions committed.
-- The triggers of `journal.sql` write it. Audit entries and the feed of changes read it.
create table journal (
  account_id uuid not null,
  -- The position. It contains the time, as the ids of all history do.
  id uuid not null,
  occurred_at timestamptz(3) not null,
  -- Null where no resource changed: for a log-in.
  action text,
  -- The action of the audit entry. Null if the change belongs to the entry of another resource.
  entry text,
  resource_type text not null,
  resource_id uuid not null,
  -- The person whom the resource is about.
  subject_id uuid,
  -- The ids of scopes that the row named: its cell, its class.
  places uuid[],
  merged_into uuid,
  changes jsonb not null default '{}',
  omitted text[],
  actor_id uuid,
  cause text not null,
  request_id uuid,
  integration_id uuid,
  batch_id uuid,
  ip inet,
  primary key (account_id, id)
) partition by range (id);

create index journal_by_resource on journal (account_id, resource_id, id);
-- The rows of the person themselves are found by the resource.
create index journal_by_subject on journal (account_id, subject_id, id) where subject_id <> resource_id;

-- The moment of the newest transaction of an account. Its row is locked from the first position of a transaction to its end,
-- so that positions rise in the order of commits.
create table journal_heads (
  account_id uuid primary key references accounts (id) on delete cascade,
  moment bigint not null
);
