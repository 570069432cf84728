-- The former address of a log-in, until the letter to it is sent. Jobs contain no personal data.
create table login_letters (
  account_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  former_email text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  constraint login_letters_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index login_letters_by_person on login_letters (account_id, person_id);
-- For the sweep, which covers all accounts.
create index login_letters_by_age on login_letters (created_at);
