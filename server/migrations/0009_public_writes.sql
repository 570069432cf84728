-- Requests of visitors, counted in windows that begin with the first one. The keys are keyed hashes of networks and of the
-- addresses that get mails, so that a backup does not reveal them. They belong to no account.
create table visitor_counts (
  key bytea primary key,
  requests integer not null,
  ends_at timestamptz(3) not null
);

-- For the sweep.
create index visitor_counts_by_end on visitor_counts (ends_at);

-- The same for an account and for each of its forms.
create table visit_counts (
  account_id uuid not null references accounts (id) on delete cascade,
  subject_id uuid not null,
  requests integer not null,
  ends_at timestamptz(3) not null,
  primary key (account_id, subject_id)
);

-- For the sweep, which covers all accounts.
create index visit_counts_by_end on visit_counts (ends_at);

-- Form tokens and solved challenges that were used, until they expire.
create table visit_proofs (
  account_id uuid not null references accounts (id) on delete cascade,
  key bytea not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, key)
);

-- For the sweep, which covers all accounts.
create index visit_proofs_by_expiry on visit_proofs (expires_at);

-- Tokens with which visitors confirm their e-mail address.
create table visit_confirmations (
  account_id uuid not null references accounts (id) on delete cascade,
  token_hash bytea not null,
  -- The type and the id of the resource that the visitor made.
  subject_type text not null,
  subject_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, token_hash)
);

create index visit_confirmations_by_subject on visit_confirmations (account_id, subject_id);
-- For the sweep, which covers all accounts.
create index visit_confirmations_by_expiry on visit_confirmations (expires_at);
