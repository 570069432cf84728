create table prayer_requests (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  title text not null,
  body text,
  status text not null default 'open',
  urgency integer not null default 3,
  is_public boolean not null default false,
  prayed_count integer not null default 0,
  answered_at timestamptz(3),
  visit_on date,
  language text,
  topics jsonb not null default '[]',
  person_id uuid not null,
  cell_id uuid,
  primary key (account_id, id),
  constraint prayer_requests_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint prayer_requests_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete set null (cell_id),
  constraint prayer_requests_answered check (status <> 'answered' or answered_at is not null)
);

create table prayer_request_companions (
  account_id uuid not null,
  prayer_request_id uuid not null,
  person_id uuid not null,
  primary key (account_id, prayer_request_id, person_id),
  constraint prayer_request_companions_prayer_request_fkey foreign key (account_id, prayer_request_id)
    references prayer_requests (account_id, id) on delete cascade,
  constraint prayer_request_companions_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index prayer_requests_person on prayer_requests (account_id, person_id);
create index prayer_requests_cell on prayer_requests (account_id, cell_id);
create index prayer_request_companions_person on prayer_request_companions (account_id, person_id);
