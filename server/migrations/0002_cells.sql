-- Reports of a year and the last attendance of each person are read from these indexes alone.
drop index cell_attendances_by_cell;
create index cell_attendances_by_cell on cell_attendances (account_id, cell_id, date) include (person_id, status);
drop index cell_attendances_by_person;
create index cell_attendances_by_person on cell_attendances (account_id, person_id, date) include (status);

-- The function cell_week_counts replaces it.
drop view if exists cell_report_summaries;

create table cell_transfers (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  from_cell_id uuid not null,
  to_cell_id uuid not null,
  transferred_on date not null default current_date,
  primary key (account_id, id),
  constraint cell_transfers_from_cell_fkey foreign key (account_id, from_cell_id) references cells on delete cascade,
  constraint cell_transfers_to_cell_fkey foreign key (account_id, to_cell_id) references cells on delete cascade
);
create index cell_transfers_by_from_cell on cell_transfers (account_id, from_cell_id);
create index cell_transfers_by_to_cell on cell_transfers (account_id, to_cell_id);

create table cell_transfer_memberships (
  account_id uuid not null,
  transfer_id uuid not null,
  membership_id uuid not null,
  primary key (account_id, transfer_id, membership_id),
  constraint cell_transfer_memberships_transfer_fkey foreign key (account_id, transfer_id) references cell_transfers on delete cascade,
  constraint cell_transfer_memberships_membership_fkey foreign key (account_id, membership_id)
    references cell_memberships on delete cascade
);
create index cell_transfer_memberships_by_membership on cell_transfer_memberships (account_id, membership_id);

-- Few memberships ended in the last 30 days, and their people are still in scope.
create index cell_memberships_left on cell_memberships (account_id, left_on, cell_id) include (person_id)
  where status = 'left';
