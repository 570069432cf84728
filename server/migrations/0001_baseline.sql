-- The whole schema of a new database. Later changes are migrations of their own.
--
-- Every table that belongs to an account has account_id first in its primary key, and every foreign key between such
-- tables includes it. PostgreSQL then refuses a reference to a row of another account.
-- Tables without account_id in front are small look-up tables that are read before the account is known.
--
-- created_by, modified_by and similar columns have no foreign key. They keep the id of a person who was deleted, so
-- deleting a person does not search every table for what the person wrote.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists unaccent;

-- The distance of two places on a sphere, in kilometers. Null if a place is unknown. PL/pgSQL, because PostgreSQL does not
-- inline a strict function in SQL with `least`, and then takes five times as long.
create function kilometers_between(
  latitude double precision, longitude double precision, other_latitude double precision, other_longitude double precision
) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return 2 * 6371 * asin(least(1, sqrt(
    power(sind((latitude - other_latitude) / 2), 2)
    + cosd(latitude) * cosd(other_latitude) * power(sind((longitude - other_longitude) / 2), 2))));
end $$;

-- Removes case and accents, for searching and sorting. PostgreSQL calls unaccent() stable because its dictionary can
-- change. A changed dictionary would need a reindex.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent'::regdictionary, value));

create function digits(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(value, '\D', '', 'g');

-- Accounts ----------------------------------------------------------------------------------------------------------

create table accounts (
  id uuid primary key,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  alias text not null
    constraint accounts_alias_key unique
    constraint accounts_alias_form check (alias ~ '^[a-z0-9](-?[a-z0-9]){2,39}$'),
  church_name text not null,
  status text not null default 'active' constraint accounts_status_known check (status in ('active', 'inactive')),
  integration_approved boolean not null default false,
  settings jsonb not null default '{}',
  custom_properties jsonb not null default '{}',
  acronym text,
  email text,
  phone text,
  website text,
  address jsonb,
  logo_url text,
  legal_acceptances jsonb not null default '[]',
  features jsonb not null default '{}'
);

-- A browser asks whether an origin may read the public area before it names an account.
create index accounts_public_origins on accounts using gin ((settings -> 'public-origins')) where status = 'active';

-- Integrations belong to the operator. An account allows the ones it uses.
create table integrations (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  name text not null constraint integrations_name_key unique,
  token_hash bytea not null constraint integrations_token_hash_key unique,
  rotated_at timestamptz(3),
  revoked_at timestamptz(3)
);

create table account_integrations (
  account_id uuid not null references accounts (id) on delete cascade,
  integration_id uuid not null references integrations (id) on delete cascade,
  allowed_at timestamptz(3) not null default now(),
  primary key (account_id, integration_id)
);

-- Files. The storage keeps their bytes under the key <account>/<id>. Other tables name them, and a job removes those that
-- no table names.
create table files (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  name text not null,
  media_type text not null,
  bytes integer not null constraint files_bytes_positive check (bytes > 0),
  primary key (account_id, id)
);

-- People ------------------------------------------------------------------------------------------------------------

create table people (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,

  full_name text not null,
  first_name text,
  last_name text,
  preferred_name text,
  former_name text,
  sex text constraint people_sex_known check (sex in ('female', 'male')),
  birthdate date,
  birth_month_day text constraint people_birth_month_day_form
    check (birth_month_day ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'),
  deathdate date,
  marital_status text,
  wedding_date date,
  occupation text,
  nationality text,
  photo_id uuid,

  email text,
  other_emails jsonb not null default '[]',
  phones jsonb not null default '[]',
  address jsonb,
  emergency_contact jsonb,

  membership_status text not null default 'visitor',
  membership_status_changed_at timestamptz(3),
  member_since date,
  admission_method text,
  decision_date date,
  is_baptized boolean,
  baptism_date date,
  previous_church text,
  left_at date,
  left_reason text,

  identity_documents jsonb not null default '[]',
  medical_notes text,

  is_active boolean not null default true,
  deactivated_at timestamptz(3),
  administrative_status text not null default 'none' constraint people_administrative_status_known
    check (administrative_status in ('none', 'administrator', 'full-administrator')),
  has_login boolean not null default false,
  last_login_at timestamptz(3),

  locale text,
  communication_preferences jsonb not null default '{}',
  directory_visibility jsonb not null default '{}',
  consents jsonb not null default '[]',
  custom_properties jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  merged_ids uuid[] not null default '{}',

  name_folded text collate "C" not null generated always as (fold(full_name)) stored,
  -- Known with or without the year of birth.
  birthday text collate "C" generated always as (coalesce(
    birth_month_day,
    lpad(extract(month from birthdate)::text, 2, '0') || '-' || lpad(extract(day from birthdate)::text, 2, '0')
  )) stored,

  primary key (account_id, id),
  constraint people_birthday_agrees check (birthdate is null or birth_month_day is null or birth_month_day =
    lpad(extract(month from birthdate)::text, 2, '0') || '-' || lpad(extract(day from birthdate)::text, 2, '0')),
  constraint people_photo_fkey foreign key (account_id, photo_id) references files (account_id, id),
  constraint people_login_needs_email check (not has_login or email is not null),
  -- A page of 100 people with 100 long values each would be megabytes.
  constraint people_custom_properties_size check (octet_length(custom_properties::text) <= 65536)
) with (
  -- Room on each page for the next version of a row, which then needs no new index entries.
  fillfactor = 90,
  -- An index-only scan visits the table for every page that changed since the last vacuum.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05
);

create index people_by_photo on people (account_id, photo_id) where photo_id is not null;
create unique index people_email_key on people (account_id, lower(email)) where email is not null;
-- Includes the columns of the most used filters, so that an index-only scan counts the matches. Adding a column here
-- makes each change of that column rewrite every index entry of the person.
create index people_by_name on people (account_id, name_folded, id)
  include (membership_status, is_active, sex, is_baptized, birthdate, birthday);
-- No index contains modified_at. Each change of a person would then rewrite all index entries of the person.
-- The creator of a prospect reaches the record.
create index people_prospects on people (account_id, created_by) where membership_status = 'prospect';
create index people_full_administrators on people (account_id)
  where administrative_status = 'full-administrator' and is_active;
create index people_custom_properties on people using gin (account_id, custom_properties jsonb_path_ops)
  with (gin_pending_list_limit = 256) where custom_properties <> '{}';

-- A table of its own because a trigram index is expensive to maintain: one entry for each three letters. PostgreSQL
-- rewrites all entries of a row when any indexed column of the row changes. Here the row changes only when a name, an
-- e-mail address or a telephone number does. features/people/search-text.ts writes it with the person.
create table person_search (
  account_id uuid not null,
  person_id uuid not null,
  words text collate "C" not null,
  primary key (account_id, person_id),
  constraint person_search_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

-- Searches read the pending list of the index from end to end, so it is kept short.
create index person_search_words on person_search using gin (account_id, words gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Hashes of the values that make people alike. People with a common key are compared. The queue that finds duplicates
-- writes them, so that the write of a person does not.
create table person_match_keys (
  account_id uuid not null,
  key uuid not null,
  person_id uuid not null,
  reason text not null,
  primary key (account_id, key, person_id),
  constraint person_match_keys_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index person_match_keys_by_person on person_match_keys (account_id, person_id);

-- Two people who may be one, the one with the smaller id first.
create table person_duplicates (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  other_id uuid not null,
  status text not null default 'open'
    constraint person_duplicates_status_known check (status in ('open', 'dismissed')),
  score integer not null,
  reasons text[] not null,
  primary key (account_id, id),
  constraint person_duplicates_people_key unique (account_id, person_id, other_id),
  constraint person_duplicates_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint person_duplicates_other_fkey foreign key (account_id, other_id)
    references people (account_id, id) on delete cascade
);

create index person_duplicates_by_other on person_duplicates (account_id, other_id);
create index person_duplicates_by_score on person_duplicates (account_id, score, id);

-- Apart from the person, so that no list of people can ever include a password hash.
create table person_credentials (
  account_id uuid not null,
  person_id uuid not null,
  password_hash text not null,
  changed_at timestamptz(3) not null default now(),
  primary key (account_id, person_id),
  foreign key (account_id, person_id) references people (account_id, id) on delete cascade
);

create table access_tokens (
  account_id uuid not null,
  token_hash bytea not null,
  id uuid not null,
  person_id uuid not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (account_id, token_hash),
  foreign key (account_id, person_id) references people (account_id, id) on delete cascade
);

create index access_tokens_by_person on access_tokens (account_id, person_id);
-- For the sweep of expired tokens, which covers all accounts.
create index access_tokens_by_expiry on access_tokens (expires_at);

-- An offer to a person to set a password. It is over when it has expired, when a newer one replaced it, and when the person
-- has used it. The last two end it early.
create table person_invitations (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  delivery text not null default 'email'
    constraint person_invitations_delivery_known check (delivery in ('email', 'link')),
  expires_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (account_id, id),
  constraint person_invitations_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index person_invitations_by_person on person_invitations (account_id, person_id);

-- Single-use tokens that set a password. Only their hash is stored. An invitation has one for each attempt to send it. A
-- token without an invitation is that of a password reset.
create table password_tokens (
  account_id uuid not null,
  token_hash bytea not null,
  person_id uuid not null,
  invitation_id uuid,
  expires_at timestamptz(3) not null,
  primary key (account_id, token_hash),
  constraint password_tokens_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint password_tokens_invitation_fkey foreign key (account_id, invitation_id)
    references person_invitations (account_id, id) on delete cascade
);

create index password_tokens_by_person on password_tokens (account_id, person_id);
create index password_tokens_by_invitation on password_tokens (account_id, invitation_id);
-- For the sweep of expired tokens, which covers all accounts.
create index password_tokens_by_expiry on password_tokens (expires_at);

-- The accounts in which an e-mail address is a log-in. Read before the account is known.
create table logins (
  email text not null,
  account_id uuid not null,
  person_id uuid not null,
  primary key (email, account_id)
);

create index logins_by_person on logins (account_id, person_id);

-- Failed log-ins and account look-ups, counted under a keyed hash of the client and the log-in. Old rows are swept.
create table login_throttles (
  key bytea primary key,
  failures integer not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);

create index login_throttles_by_age on login_throttles (last_at);

create table person_merges (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  -- When the kept person is removed by a later merge, the row follows to the person who was kept then.
  kept_id uuid not null,
  field_choices jsonb not null default '{}',
  keep_households boolean not null default false,
  note text,
  moved_counts jsonb not null default '{}',
  conflicts jsonb not null default '[]',
  primary key (account_id, id),
  constraint person_merges_kept_fkey foreign key (account_id, kept_id)
    references people (account_id, id) on delete cascade
);

create index person_merges_by_kept on person_merges (account_id, kept_id);

-- The people whom a merge removed. A person is removed once, so the id alone finds the merge.
create table person_merge_removed (
  account_id uuid not null,
  merge_id uuid not null,
  removed_id uuid not null,
  primary key (account_id, merge_id, removed_id),
  constraint person_merge_removed_removed_key unique (account_id, removed_id),
  constraint person_merge_removed_merge_fkey foreign key (account_id, merge_id)
    references person_merges (account_id, id) on delete cascade
);

-- Households --------------------------------------------------------------------------------------------------------

create table households (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  name text not null,
  phone text,
  address jsonb,
  -- A member of the household. features/households/ clears it when the membership ends.
  primary_contact_id uuid,
  custom_properties jsonb not null default '{}',
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  city text generated always as (address ->> 'city') stored,
  words text collate "C" not null generated always as (fold(
    name || ' ' || coalesce(digits(phone), '') || ' ' || coalesce(address ->> 'street', '') || ' ' ||
    coalesce(address ->> 'neighborhood', '') || ' ' || coalesce(address ->> 'city', '')
  )) stored,
  primary key (account_id, id),
  constraint households_primary_contact_fkey foreign key (account_id, primary_contact_id)
    references people (account_id, id) on delete set null (primary_contact_id),
  constraint households_custom_properties_size check (octet_length(custom_properties::text) <= 65536)
);

create index households_by_name on households (account_id, name_folded, id);
create index households_by_primary_contact on households (account_id, primary_contact_id);
create index households_by_city on households (account_id, fold(city));
create index households_custom_properties on households using gin (account_id, custom_properties jsonb_path_ops)
  where custom_properties <> '{}';

create table household_memberships (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  household_id uuid not null,
  person_id uuid not null,
  household_role text not null default 'other' constraint household_memberships_household_role_known
    check (household_role in ('head', 'spouse', 'child', 'dependent', 'other')),
  is_primary boolean not null default false,
  may_pick_up text
    constraint household_memberships_may_pick_up_known check (may_pick_up in ('yes', 'no', 'restricted')),
  primary key (account_id, id),
  constraint household_memberships_person_key unique (account_id, person_id, household_id),
  constraint household_memberships_household_fkey foreign key (account_id, household_id)
    references households (account_id, id) on delete cascade,
  constraint household_memberships_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index household_memberships_by_household on household_memberships (account_id, household_id);
create unique index household_memberships_primary_key on household_memberships (account_id, person_id)
  where is_primary;

-- Tags --------------------------------------------------------------------------------------------------------------

create table tags (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  name text not null,
  color text,
  applies_to text[] not null default '{people,cells,courses}',
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);

create unique index tags_name_key on tags (account_id, lower(name));

create table person_tags (
  account_id uuid not null,
  person_id uuid not null,
  tag_id uuid not null,
  primary key (account_id, person_id, tag_id),
  constraint person_tags_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint person_tags_tag_fkey foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);

create index person_tags_by_tag on person_tags (account_id, tag_id);

-- Roles -------------------------------------------------------------------------------------------------------------

create table roles (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  name text not null,
  -- Names a preset. Its permissions are defined in code, so that an upgrade reaches every account.
  code text,
  permissions jsonb not null default '[]',
  description text,
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);

create unique index roles_name_key on roles (account_id, lower(name));
create unique index roles_code_key on roles (account_id, code) where code is not null;

create table role_assignments (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  role_id uuid not null,
  granted_by uuid,
  scope_type text not null constraint role_assignments_scope_type_known check (scope_type in
    ('account', 'campus', 'cell-tree', 'cell', 'course', 'course-class', 'list', 'self')),
  scope_ids uuid[] not null default '{}'
    constraint role_assignments_scope_ids_count check (cardinality(scope_ids) <= 200),
  constraint role_assignments_scope_ids_fit check (scope_type not in ('account', 'self') or scope_ids = '{}'),
  valid_from timestamptz(3),
  valid_until timestamptz(3),
  primary key (account_id, id),
  constraint role_assignments_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint role_assignments_role_fkey foreign key (account_id, role_id) references roles (account_id, id)
);

create index role_assignments_by_person on role_assignments (account_id, person_id);
create index role_assignments_by_role on role_assignments (account_id, role_id);

-- Courses -----------------------------------------------------------------------------------------------------------

create table courses (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  name text not null,
  code text,
  summary text,
  description text,
  price bigint,
  price_currency text,
  lessons_to_graduate integer,
  is_active boolean not null default true,
  is_public boolean not null default false,
  image_id uuid,
  category text,
  "order" integer,
  position_in_path integer,
  enrollment_policy text not null default 'request',
  graduation_mode text not null default 'automatic',
  excused_counts boolean not null default false,
  has_certificate boolean not null default false,
  certificate_valid_months integer,
  custom_properties jsonb not null default '{}',
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id),
  constraint courses_image_fkey foreign key (account_id, image_id) references files (account_id, id),
  constraint courses_custom_properties_size check (octet_length(custom_properties::text) <= 65536)
);

create index courses_by_image on courses (account_id, image_id) where image_id is not null;
create index courses_by_name on courses (account_id, name_folded, id);

create table course_teachers (
  account_id uuid not null,
  course_id uuid not null,
  person_id uuid not null,
  primary key (account_id, course_id, person_id),
  constraint course_teachers_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_teachers_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index course_teachers_by_person on course_teachers (account_id, person_id);

create table course_tags (
  account_id uuid not null,
  course_id uuid not null,
  tag_id uuid not null,
  primary key (account_id, course_id, tag_id),
  constraint course_tags_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_tags_tag_fkey foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);

create index course_tags_by_tag on course_tags (account_id, tag_id);

create table course_lessons (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  name text not null,
  number integer not null constraint course_lessons_number_range check (number between 1 and 500),
  description text,
  is_mandatory boolean not null default false,
  is_active boolean not null default true,
  duration_minutes integer,
  content_url text,
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id),
  constraint course_lessons_number_key unique (account_id, course_id, number),
  constraint course_lessons_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade
);

create table course_requirements (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  required_course_id uuid,
  kind text not null constraint course_requirements_kind_known check (kind in
    ('course', 'membership-status', 'baptized', 'minimum-age', 'cell-member')),
  enforcement text not null default 'block'
    constraint course_requirements_enforcement_known check (enforcement in ('block', 'warn')),
  relation text not null default 'prerequisite'
    constraint course_requirements_relation_known check (relation in ('prerequisite', 'corequisite')),
  value jsonb,
  primary key (account_id, id),
  constraint course_requirements_names_a_course check ((kind = 'course') = (required_course_id is not null)),
  constraint course_requirements_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_requirements_required_course_fkey foreign key (account_id, required_course_id)
    references courses (account_id, id) on delete cascade
);

create index course_requirements_by_course on course_requirements (account_id, course_id);
create index course_requirements_by_required_course on course_requirements (account_id, required_course_id)
  where required_course_id is not null;

create table course_classes (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  name text not null,
  status text not null default 'draft' constraint course_classes_status_known
    check (status in ('draft', 'open', 'in-progress', 'finished', 'cancelled')),
  seats integer,
  waitlist_enabled boolean not null default true,
  starts timestamptz(3),
  ends timestamptz(3),
  -- Entries of weekday, starts-at and ends-at.
  schedule jsonb not null default '[]',
  enrollment_opens_at timestamptz(3),
  enrollment_closes_at timestamptz(3),
  mode text not null default 'in-person'
    constraint course_classes_mode_known check (mode in ('in-person', 'online', 'hybrid')),
  location text,
  online_url text,
  time_zone text not null default 'UTC',
  is_public boolean not null default false,
  show_teachers boolean not null default false,
  custom_properties jsonb not null default '{}',
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id),
  constraint course_classes_ends_after_start check (starts < ends),
  constraint course_classes_closes_after_opening check (enrollment_opens_at < enrollment_closes_at),
  constraint course_classes_custom_properties_size check (octet_length(custom_properties::text) <= 65536),
  constraint course_classes_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade
);

create index course_classes_by_course on course_classes (account_id, course_id);
create index course_classes_by_start on course_classes (account_id, starts, id);

create table course_class_teachers (
  account_id uuid not null,
  class_id uuid not null,
  person_id uuid not null,
  primary key (account_id, class_id, person_id),
  constraint course_class_teachers_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_class_teachers_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index course_class_teachers_by_person on course_class_teachers (account_id, person_id);

-- In this table and in those below, course_id is the course of the class.
create table course_sessions (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  lesson_id uuid,
  teacher_id uuid,
  date date not null,
  starts_at integer,
  ends_at integer,
  status text not null default 'planned'
    constraint course_sessions_status_known check (status in ('planned', 'held', 'cancelled')),
  primary key (account_id, id),
  constraint course_sessions_ends_after_start check (starts_at < ends_at),
  constraint course_sessions_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_sessions_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_sessions_lesson_fkey foreign key (account_id, lesson_id)
    references course_lessons (account_id, id) on delete set null (lesson_id),
  constraint course_sessions_teacher_fkey foreign key (account_id, teacher_id)
    references people (account_id, id) on delete set null (teacher_id)
);

create index course_sessions_by_class on course_sessions (account_id, class_id, date);
create index course_sessions_by_course on course_sessions (account_id, course_id, date);
create index course_sessions_by_lesson on course_sessions (account_id, lesson_id) where lesson_id is not null;
create index course_sessions_by_teacher on course_sessions (account_id, teacher_id) where teacher_id is not null;

create table course_session_plans (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  created_count integer not null,
  primary key (account_id, id),
  constraint course_session_plans_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_session_plans_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade
);

create index course_session_plans_by_class on course_session_plans (account_id, class_id);
create index course_session_plans_by_course on course_session_plans (account_id, course_id);

create table course_enrollments (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  person_id uuid not null,
  status text not null default 'requested' constraint course_enrollments_status_known check (status in
    ('requested', 'waitlisted', 'active', 'completed', 'failed', 'withdrawn', 'cancelled')),
  source text not null default 'staff'
    constraint course_enrollments_source_known check (source in ('staff', 'self', 'public-form', 'import')),
  enrolled_at timestamptz(3) not null default now(),
  status_changed_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  withdrawn_reason text,
  payment_status text not null default 'not-required' constraint course_enrollments_payment_status_known check
    (payment_status in ('not-required', 'pending', 'paid', 'waived', 'refunded')),
  paid_amount bigint,
  requirements_waived boolean not null default false,
  graduation_waived boolean not null default false,
  waiver_note text,
  -- Written by update_progress().
  lessons_attended integer not null default 0,
  lessons_required integer not null default 0,
  progress integer not null default 0,
  is_eligible_to_graduate boolean not null default false,
  custom_properties jsonb not null default '{}',
  primary key (account_id, id),
  constraint course_enrollments_waiver_has_note
    check (waiver_note is not null or not (requirements_waived or graduation_waived)),
  constraint course_enrollments_custom_properties_size check (octet_length(custom_properties::text) <= 65536),
  constraint course_enrollments_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_enrollments_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_enrollments_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index course_enrollments_by_date on course_enrollments (account_id, enrolled_at, id);
create index course_enrollments_by_course on course_enrollments (account_id, course_id, enrolled_at, id);
create index course_enrollments_by_class on course_enrollments (account_id, class_id, status);
create index course_enrollments_by_person on course_enrollments (account_id, person_id);
create unique index course_enrollments_current_key on course_enrollments (account_id, class_id, person_id)
  where status in ('requested', 'waitlisted', 'active', 'completed');

-- lesson_id and date are those of the session, person_id is that of the enrollment. A row of a deleted person still counts,
-- so enrollment_id keeps the ids of deleted enrollments.
create table course_attendances (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  session_id uuid not null,
  lesson_id uuid,
  enrollment_id uuid not null,
  person_id uuid,
  date date not null,
  status text not null constraint course_attendances_status_known check (status in
    ('present', 'late', 'excused', 'absent', 'online', 'not-applicable')),
  note text,
  minutes integer,
  recorded_at timestamptz(3) not null default now(),
  recorded_by uuid,
  primary key (account_id, id),
  constraint course_attendances_enrollment_key unique (account_id, session_id, enrollment_id),
  constraint course_attendances_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_attendances_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_attendances_session_fkey foreign key (account_id, session_id)
    references course_sessions (account_id, id) on delete cascade,
  constraint course_attendances_lesson_fkey foreign key (account_id, lesson_id)
    references course_lessons (account_id, id) on delete set null (lesson_id),
  constraint course_attendances_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete set null (person_id)
);

create index course_attendances_by_course on course_attendances (account_id, course_id, date, id);
create index course_attendances_by_class on course_attendances (account_id, class_id, date, id);
create index course_attendances_by_lesson on course_attendances (account_id, lesson_id, date) where lesson_id is not null;
create index course_attendances_by_enrollment on course_attendances (account_id, enrollment_id);
create index course_attendances_by_person on course_attendances (account_id, person_id, date);

create table course_attendance_sheets (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  session_id uuid not null,
  recorded_count integer not null,
  changed_count integer not null,
  primary key (account_id, id),
  constraint course_attendance_sheets_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_attendance_sheets_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_attendance_sheets_session_fkey foreign key (account_id, session_id)
    references course_sessions (account_id, id) on delete cascade
);

create index course_attendance_sheets_by_course on course_attendance_sheets (account_id, course_id);
create index course_attendance_sheets_by_class on course_attendance_sheets (account_id, class_id);
create index course_attendance_sheets_by_session on course_attendance_sheets (account_id, session_id);

create table course_materials (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid,
  lesson_id uuid,
  title text not null,
  description text,
  content text,
  material_type text not null
    constraint course_materials_material_type_known check (material_type in ('file', 'link', 'text', 'video')),
  audience text not null default 'student'
    constraint course_materials_audience_known check (audience in ('student', 'teacher')),
  publish_status text not null default 'draft'
    constraint course_materials_publish_status_known check (publish_status in ('draft', 'unlisted', 'public')),
  published_at timestamptz(3),
  -- Days after the start of the class.
  available_from integer,
  url text,
  "order" integer,
  primary key (account_id, id),
  constraint course_materials_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_materials_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_materials_lesson_fkey foreign key (account_id, lesson_id)
    references course_lessons (account_id, id) on delete set null (lesson_id)
);

create index course_materials_by_course on course_materials (account_id, course_id);
create index course_materials_by_class on course_materials (account_id, class_id) where class_id is not null;
create index course_materials_by_lesson on course_materials (account_id, lesson_id) where lesson_id is not null;

create table material_attachments (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  material_id uuid not null,
  file_id uuid not null,
  primary key (account_id, id),
  constraint material_attachments_material_fkey foreign key (account_id, material_id)
    references course_materials (account_id, id) on delete cascade,
  constraint material_attachments_file_fkey foreign key (account_id, file_id) references files (account_id, id)
);

create index material_attachments_by_material on material_attachments (account_id, material_id, id);
create index material_attachments_by_file on material_attachments (account_id, file_id);

create table course_tasks (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  lesson_id uuid,
  name text not null,
  instructions text,
  is_mandatory boolean not null default false,
  assigned_to text not null default 'student'
    constraint course_tasks_assigned_to_known check (assigned_to in ('student', 'teacher')),
  submission_type text not null default 'text'
    constraint course_tasks_submission_type_known check (submission_type in ('none', 'text', 'url', 'file')),
  due jsonb not null default '{"criterion": "none"}',
  points integer,
  "order" integer,
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  primary key (account_id, id),
  constraint course_tasks_due_has_value check (case due ->> 'criterion'
    when 'none' then not due ? 'value'
    when 'date' then jsonb_typeof(due -> 'value') = 'string'
    else jsonb_typeof(due -> 'value') = 'number' end is true),
  constraint course_tasks_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_tasks_lesson_fkey foreign key (account_id, lesson_id)
    references course_lessons (account_id, id) on delete set null (lesson_id)
);

create index course_tasks_by_course on course_tasks (account_id, course_id);
create index course_tasks_by_lesson on course_tasks (account_id, lesson_id) where lesson_id is not null;

create table course_task_completions (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  task_id uuid not null,
  enrollment_id uuid not null,
  person_id uuid not null,
  status text not null default 'submitted' constraint course_task_completions_status_known
    check (status in ('submitted', 'accepted', 'rejected', 'returned')),
  text text,
  url text,
  file_id uuid,
  student_comment text,
  teacher_comment text,
  points_earned integer,
  was_on_time boolean,
  attempt_count integer not null default 1,
  submitted_at timestamptz(3) not null default now(),
  reviewed_at timestamptz(3),
  reviewed_by uuid,
  primary key (account_id, id),
  constraint course_task_completions_task_key unique (account_id, enrollment_id, task_id),
  constraint course_task_completions_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_task_completions_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_task_completions_task_fkey foreign key (account_id, task_id)
    references course_tasks (account_id, id) on delete cascade,
  constraint course_task_completions_enrollment_fkey foreign key (account_id, enrollment_id)
    references course_enrollments (account_id, id) on delete cascade,
  constraint course_task_completions_file_fkey foreign key (account_id, file_id) references files (account_id, id),
  constraint course_task_completions_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index course_task_completions_by_file on course_task_completions (account_id, file_id) where file_id is not null;
create index course_task_completions_by_course on course_task_completions (account_id, course_id, submitted_at, id);
create index course_task_completions_by_class on course_task_completions (account_id, class_id, submitted_at);
create index course_task_completions_by_task on course_task_completions (account_id, task_id);
create index course_task_completions_by_person on course_task_completions (account_id, person_id);

-- Cells -------------------------------------------------------------------------------------------------------------

-- The text in which a search box finds a cell.
create function cell_search_text(name text, category text, address jsonb) returns text
  language sql immutable parallel safe
  return fold(concat_ws(' ', name, category, address ->> 'neighborhood', address ->> 'city'));

create table cells (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  parent_id uuid,
  multiplied_from_id uuid,
  name text not null,
  cell_type text not null default 'cell' constraint cells_cell_type_known check (cell_type in ('cell', 'supervision')),
  level integer not null default 0,
  description text,
  category text,
  gender_category text not null default 'mixed',
  age_min integer,
  age_max integer,
  weekday integer,
  starts_at integer,
  ends_at integer,
  frequency text not null default 'weekly',
  is_online boolean not null default false,
  online_url text,
  address jsonb,
  is_public boolean not null default false,
  public_settings jsonb not null default
    '{"show-address": false, "show-leader-email": false, "show-leader-phone": false, "accept-join-requests": true}',
  join_policy text not null default 'request',
  capacity integer,
  ideal_size integer,
  multiplication_goal_date date,
  recess_from date,
  recess_to date,
  opened_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  closing_reason text,
  custom_properties jsonb not null default '{}',
  name_folded text collate "C" not null generated always as (fold(name)) stored,
  search_words text collate "C" not null generated always as (cell_search_text(name, category, address)) stored,
  primary key (account_id, id),
  constraint cells_level_fits_type check ((cell_type = 'cell') = (level = 0)),
  constraint cells_ages_in_order check (age_min <= age_max),
  constraint cells_ends_after_start check (starts_at < ends_at),
  constraint cells_recess_ends_after_start check (recess_from < recess_to),
  constraint cells_custom_properties_size check (octet_length(custom_properties::text) <= 65536),
  constraint cells_parent_fkey foreign key (account_id, parent_id) references cells (account_id, id),
  constraint cells_multiplied_from_fkey foreign key (account_id, multiplied_from_id)
    references cells (account_id, id) on delete set null (multiplied_from_id)
);

create index cells_by_name on cells (account_id, name_folded, id);
create index cells_by_parent on cells (account_id, parent_id);
create index cells_by_multiplied_from on cells (account_id, multiplied_from_id) where multiplied_from_id is not null;

-- One row for each account. Changes of the tree lock it, so that parallel changes take turns.
create table cell_trees (
  account_id uuid primary key references accounts (id) on delete cascade
);

-- Each cell with all cells above it and itself (distance 0), so that a condition on a whole tree is an index look-up.
-- The operations that create and move cells maintain it.
create table cell_ancestors (
  account_id uuid not null,
  cell_id uuid not null,
  ancestor_id uuid not null,
  distance integer not null,
  primary key (account_id, cell_id, ancestor_id),
  constraint cell_ancestors_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_ancestors_ancestor_fkey foreign key (account_id, ancestor_id)
    references cells (account_id, id) on delete cascade
);

create index cell_ancestors_by_ancestor on cell_ancestors (account_id, ancestor_id, cell_id) include (distance);

create table cell_closings (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  moved_to_id uuid,
  closing_reason text,
  primary key (account_id, id),
  constraint cell_closings_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_closings_moved_to_fkey foreign key (account_id, moved_to_id)
    references cells (account_id, id) on delete set null (moved_to_id)
);

create index cell_closings_by_cell on cell_closings (account_id, cell_id);
create index cell_closings_by_moved_to on cell_closings (account_id, moved_to_id);

create table cell_reopenings (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  primary key (account_id, id),
  constraint cell_reopenings_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade
);

create index cell_reopenings_by_cell on cell_reopenings (account_id, cell_id);

create table cell_tags (
  account_id uuid not null,
  cell_id uuid not null,
  tag_id uuid not null,
  primary key (account_id, cell_id, tag_id),
  constraint cell_tags_cell_fkey foreign key (account_id, cell_id) references cells (account_id, id) on delete cascade,
  constraint cell_tags_tag_fkey foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);

create index cell_tags_by_tag on cell_tags (account_id, tag_id);

create table cell_memberships (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  person_id uuid not null,
  cell_role text not null constraint cell_memberships_cell_role_known check (cell_role in
    ('leader', 'co-leader', 'trainee', 'host', 'secretary', 'participant', 'visitor')),
  status text not null default 'active'
    constraint cell_memberships_status_known check (status in ('active', 'left')),
  joined_on date not null default current_date,
  left_on date,
  left_reason text,
  primary key (account_id, id),
  constraint cell_memberships_active_has_not_left
    check (status = 'left' or (left_on is null and left_reason is null)),
  constraint cell_memberships_left_after_joining check (left_on >= joined_on),
  constraint cell_memberships_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_memberships_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index cell_memberships_by_person on cell_memberships (account_id, person_id);
create index cell_memberships_by_cell on cell_memberships (account_id, cell_id);
create unique index cell_memberships_active_key on cell_memberships (account_id, person_id, cell_id)
  where status = 'active';

create table cell_join_requests (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  -- A member who asks, or the prospect that the approval of a contact created.
  person_id uuid,
  -- Names, e-mail address and telephone number of an unknown person. Deleted some time after the decision.
  contact jsonb,
  message text,
  status text not null default 'pending' constraint cell_join_requests_status_known
    check (status in ('pending', 'approved', 'declined', 'cancelled')),
  source text not null default 'staff'
    constraint cell_join_requests_source_known check (source in ('staff', 'self', 'public')),
  is_confirmed boolean not null default false,
  decline_reason text,
  decided_at timestamptz(3),
  decided_by uuid,
  primary key (account_id, id),
  constraint cell_join_requests_names_someone
    check (status <> 'pending' or (person_id is null) <> (contact is null)),
  constraint cell_join_requests_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_join_requests_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index cell_join_requests_by_cell on cell_join_requests (account_id, cell_id);
create index cell_join_requests_by_person on cell_join_requests (account_id, person_id);
create unique index cell_join_requests_pending_key on cell_join_requests (account_id, cell_id, person_id)
  where status = 'pending';
-- For the job that deletes contacts, which covers all accounts.
create index cell_join_requests_by_decision on cell_join_requests (decided_at) where contact is not null;

create table cell_meetings (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  date date not null,
  starts_at integer,
  ends_at integer,
  is_online boolean not null default false,
  status text not null default 'scheduled'
    constraint cell_meetings_status_known check (status in ('scheduled', 'held', 'not-held', 'cancelled')),
  not_held_reason text,
  theme text,
  summary text,
  visitors_count integer,
  children_count integer,
  decisions_count integer,
  offering_amount bigint,
  offering_currency text,
  -- The members of the cell at the first report.
  members_count integer,
  submitted_at timestamptz(3),
  submitted_by uuid,
  -- The service created the meeting from the schedule of the cell, and may delete it when the schedule changes.
  is_automatic boolean not null default false,
  primary key (account_id, id),
  constraint cell_meetings_date_key unique (account_id, cell_id, date),
  constraint cell_meetings_reported check ((status in ('held', 'not-held')) = (submitted_at is not null)),
  constraint cell_meetings_offering_has_currency check ((offering_amount is null) = (offering_currency is null)),
  constraint cell_meetings_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade
);

create index cell_meetings_by_date on cell_meetings (account_id, date, id);
-- For overdue reports and upcoming meetings.
create index cell_meetings_unreported on cell_meetings (account_id, cell_id, date) where status = 'scheduled';

-- A person's attendance summary is computed from these rows. cell_id and date are those of the meeting.
create table cell_attendances (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  meeting_id uuid not null,
  cell_id uuid not null,
  -- Null after the person was deleted. The row still counts.
  person_id uuid,
  date date not null,
  status text not null constraint cell_attendances_status_known check (status in
    ('present', 'absent', 'excused', 'online')),
  is_visitor boolean not null default false,
  first_time boolean not null default false,
  note text,
  primary key (account_id, id),
  constraint cell_attendances_person_key unique (account_id, meeting_id, person_id),
  constraint cell_attendances_meeting_fkey foreign key (account_id, meeting_id)
    references cell_meetings (account_id, id) on delete cascade,
  constraint cell_attendances_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_attendances_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete set null (person_id)
);

create index cell_attendances_by_person on cell_attendances (account_id, person_id, date);
create index cell_attendances_by_cell on cell_attendances (account_id, cell_id, date);
-- Includes the columns that decide who may read a row, so that an index-only scan counts the rows of a supervisor.
create index cell_attendances_by_date on cell_attendances (account_id, date, id) include (cell_id, person_id);

create table cell_multiplications (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  parent_cell_id uuid not null,
  resulting_cell_id uuid,
  -- The attributes of the cell to create. The others are those of the parent cell.
  new_cell jsonb not null,
  note text,
  status text not null default 'proposed' constraint cell_multiplications_status_known
    check (status in ('proposed', 'rejected', 'done')),
  decline_reason text,
  decided_at timestamptz(3),
  decided_by uuid,
  primary key (account_id, id),
  constraint cell_multiplications_parent_cell_fkey foreign key (account_id, parent_cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_multiplications_resulting_cell_fkey foreign key (account_id, resulting_cell_id)
    references cells (account_id, id) on delete set null (resulting_cell_id)
);

create index cell_multiplications_by_parent_cell on cell_multiplications (account_id, parent_cell_id);
create index cell_multiplications_by_resulting_cell on cell_multiplications (account_id, resulting_cell_id);

create table cell_multiplication_members (
  account_id uuid not null,
  multiplication_id uuid not null,
  person_id uuid not null,
  primary key (account_id, multiplication_id, person_id),
  constraint cell_multiplication_members_multiplication_fkey foreign key (account_id, multiplication_id)
    references cell_multiplications (account_id, id) on delete cascade,
  constraint cell_multiplication_members_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index cell_multiplication_members_by_person on cell_multiplication_members (account_id, person_id);

create table cell_multiplication_leaders (
  account_id uuid not null,
  multiplication_id uuid not null,
  person_id uuid not null,
  primary key (account_id, multiplication_id, person_id),
  constraint cell_multiplication_leaders_multiplication_fkey foreign key (account_id, multiplication_id)
    references cell_multiplications (account_id, id) on delete cascade,
  constraint cell_multiplication_leaders_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index cell_multiplication_leaders_by_person on cell_multiplication_leaders (account_id, person_id);

-- Notes -------------------------------------------------------------------------------------------------------------

create table notes (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  about_person_id uuid,
  about_household_id uuid,
  about_cell_id uuid,
  -- Unlike created_by, it follows a merge. The author keeps the right to change the note.
  author_id uuid,
  assignee_id uuid,
  text text not null,
  kind text,
  visibility text not null default 'scope'
    constraint notes_visibility_known check (visibility in ('scope', 'staff', 'confidential')),
  follow_up_on date,
  follow_up_status text constraint notes_follow_up_status_known check (follow_up_status in ('open', 'done')),
  kind_folded text collate "C" generated always as (fold(kind)) stored,
  primary key (account_id, id),
  constraint notes_about_one check (num_nonnulls(about_person_id, about_household_id, about_cell_id) = 1),
  constraint notes_follow_up check ((follow_up_on is null) = (follow_up_status is null)),
  constraint notes_about_person_fkey foreign key (account_id, about_person_id)
    references people (account_id, id) on delete cascade,
  constraint notes_about_household_fkey foreign key (account_id, about_household_id)
    references households (account_id, id) on delete cascade,
  constraint notes_about_cell_fkey foreign key (account_id, about_cell_id)
    references cells (account_id, id) on delete cascade,
  constraint notes_author_fkey foreign key (account_id, author_id)
    references people (account_id, id) on delete set null (author_id),
  constraint notes_assignee_fkey foreign key (account_id, assignee_id)
    references people (account_id, id) on delete set null (assignee_id)
);

create index notes_by_time on notes (account_id, created_at, id);
create index notes_by_about_person on notes (account_id, about_person_id);
create index notes_by_about_household on notes (account_id, about_household_id);
create index notes_by_about_cell on notes (account_id, about_cell_id);
create index notes_by_author on notes (account_id, author_id);
create index notes_by_assignee on notes (account_id, assignee_id);
create index notes_confidential on notes (account_id, id) where visibility = 'confidential';

-- Imports -----------------------------------------------------------------------------------------------------------

create table import_jobs (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  kind text not null,
  mapping jsonb not null,
  match_on jsonb not null default '[]',
  on_match text not null default 'skip' constraint import_jobs_on_match_known check (on_match in ('skip', 'update')),
  blank_overwrites boolean not null default false,
  delimiter text not null default ',',
  encoding text,
  date_format text not null default 'YYYY-MM-DD',
  status text not null default 'created' constraint import_jobs_status_known check
    (status in ('created', 'validating', 'ready', 'running', 'done', 'undoing', 'undone', 'failed')),
  failure text,
  counts jsonb not null default
    '{"rows": 0, "create": 0, "update": 0, "skip": 0, "error": 0, "written": 0, "undone": 0, "kept": 0}',
  -- All events of a run share it.
  batch_id uuid,
  run_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (account_id, id)
);

-- The uploaded file, compressed, in pieces of a megabyte. The dry run reads it, and deletes it at the end.
create table import_file_chunks (
  account_id uuid not null,
  import_job_id uuid not null,
  position integer not null,
  content bytea not null,
  primary key (account_id, import_job_id, position),
  constraint import_file_chunks_import_job_fkey foreign key (account_id, import_job_id)
    references import_jobs (account_id, id) on delete cascade
);

create table import_rows (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  row_number integer not null,
  action text not null,
  outcome text constraint import_rows_outcome_known check (outcome in ('written', 'undone', 'kept')),
  errors jsonb not null default '[]',
  person_id uuid,
  -- The values that the run will write. It empties the column.
  given jsonb,
  -- The former values, which an undo restores, and the version that the run wrote.
  before jsonb,
  written_version integer,
  -- The records that the run made beside the person, which an undo takes back.
  made jsonb,
  primary key (account_id, id),
  constraint import_rows_row_number_key unique (account_id, import_job_id, row_number),
  constraint import_rows_import_job_fkey foreign key (account_id, import_job_id)
    references import_jobs (account_id, id) on delete cascade,
  constraint import_rows_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index import_rows_by_person on import_rows (account_id, person_id) where person_id is not null;

create table import_runs (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  primary key (account_id, id),
  constraint import_runs_import_job_fkey foreign key (account_id, import_job_id)
    references import_jobs (account_id, id) on delete cascade
);

create index import_runs_by_import_job on import_runs (account_id, import_job_id);

create table import_undos (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  primary key (account_id, id),
  constraint import_undos_import_job_fkey foreign key (account_id, import_job_id)
    references import_jobs (account_id, id) on delete cascade
);

create index import_undos_by_import_job on import_undos (account_id, import_job_id);

-- Requests ----------------------------------------------------------------------------------------------------------

-- The response to a request with an Idempotency-Key, kept for a day. A second request with the same key waits on the
-- primary key until the first has committed or rolled back.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  headers jsonb,
  body text,
  -- A reference to the secret that the response revealed. The secret itself is never stored with a response.
  reveals jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, route, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Webhooks ==========================================================================================================
--
-- Endpoints and their secrets, the history of what was captured and sent, and the queue of pending messages.
--
-- History (events, deliveries, attempts) is partitioned by the day of the event, and dropped one
-- partition at a time. The ids of history contain that day, so the id alone tells the partition of a row, and a
-- redelivery of an old event is stored, and dropped, with the event. The queue holds live work and nothing else.

-- A UUIDv7 whose time is `at`. Callers pass the time of the database, so that the clock of a node never decides in
-- which partition a row is stored.
create function history_id(at timestamptz) returns uuid
  language sql volatile parallel safe
  return (
    lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' ||
    -- The fraction of the millisecond, so that ids also rise within it.
    lpad(to_hex(floor(mod(extract(epoch from at) * 1000, 1) * 4096)::integer), 3, '0') ||
    substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid;

-- The smallest id of a moment. It bounds partitions and the deliveries of one event.
create function history_floor(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Endpoints ---------------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- The interface's `configuration-version`.
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),

  name text,
  url text not null,
  normalized_url text not null,
  events text[] not null,
  status text not null default 'pending-verification' constraint webhook_endpoints_status_known
    check (status in ('pending-verification', 'active', 'paused', 'deleted')),
  pause_reason text constraint webhook_endpoints_pause_reason_known
    check (pause_reason in ('manual', 'health', 'security-policy')),
  destination_version integer not null default 1,
  verified_destination_version integer,
  verified_at timestamptz(3),
  secret_generation integer not null default 1,
  secret_overlap_until timestamptz(3),
  verification_generation integer not null default 1,

  primary key (account_id, id),
  constraint webhook_endpoints_paused_for_a_reason check ((status = 'paused') = (pause_reason is not null)),
  constraint webhook_endpoints_active_is_verified
    check (status <> 'active' or verified_destination_version = destination_version)
);

create unique index webhook_endpoints_url_key on webhook_endpoints (account_id, normalized_url) where status <> 'deleted';

-- Apart from the endpoint, so that recording an attempt never waits for a person who edits the endpoint.
create table webhook_endpoint_health (
  account_id uuid not null,
  endpoint_id uuid not null,
  consecutive_failures integer not null default 0,
  streak_began_at timestamptz(3),
  failing_since timestamptz(3),
  old_news_until timestamptz(3),
  last_attempt_at timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_failure_code text,
  primary key (account_id, endpoint_id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50);

-- For the sweep that pauses endpoints that have failed for a week.
create index webhook_endpoint_health_failing on webhook_endpoint_health (failing_since) where failing_since is not null;

create table webhook_secrets (
  account_id uuid not null,
  endpoint_id uuid not null,
  generation integer not null,
  encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  -- The end of the overlap after a rotation. Null for the current secret.
  valid_until timestamptz(3),
  primary key (account_id, endpoint_id, generation),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

-- Rotations as resources of the interface. The secrets themselves are in webhook_secrets.
create table webhook_endpoint_secret_rotations (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  endpoint_id uuid not null,
  secret_generation integer not null,
  previous_valid_until timestamptz(3) not null,
  primary key (account_id, id),
  constraint webhook_endpoint_secret_rotations_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

create index webhook_endpoint_secret_rotations_by_endpoint
  on webhook_endpoint_secret_rotations (account_id, endpoint_id);

-- The timeline of an endpoint.
create table webhook_endpoint_changes (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  happened_at timestamptz(3) not null default now(),
  change text not null,
  details jsonb not null default '{}',
  -- Null when the service or the operator made the change.
  changed_by uuid,
  primary key (account_id, id),
  constraint webhook_endpoint_changes_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

create index webhook_endpoint_changes_by_endpoint on webhook_endpoint_changes (account_id, endpoint_id, happened_at, id);

-- Actions within the window of their limit: verifications, tests, redeliveries and the like.
create table webhook_actions (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  endpoint_id uuid not null,
  action text not null,
  asked_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

create index webhook_actions_by_time on webhook_actions (account_id, action, asked_at);

-- One row for each account and action. A request locks it before it counts, so parallel requests take turns.
create table webhook_action_turns (
  account_id uuid not null references accounts (id) on delete cascade,
  action text not null,
  primary key (account_id, action)
);

-- Attempts by hour, updated when deliveries are settled. Reading metrics costs the same for any number of deliveries.
create table webhook_hours (
  account_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz(0) not null,
  attempts integer not null default 0,
  retries integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  latency_ms_sum bigint not null default 0,
  -- The number of attempts in each bucket of `latencyBoundsMs`.
  latencies integer[] not null,
  primary key (account_id, endpoint_id, hour),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50);

-- History -----------------------------------------------------------------------------------------------------------

create table webhook_events (
  account_id uuid not null,
  id uuid not null,
  event_type text not null,
  occurred_at timestamptz(3) not null,
  cause text not null,
  batch_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  -- Null when the operator made the change on the command line.
  actor_id uuid,
  changed_fields text[],
  -- JSON text, copied into messages and responses without being parsed.
  snapshot text not null,
  snapshot_bytes integer not null,
  omitted_fields text[] not null default '{}',
  merge jsonb,
  -- Lists sort by the id, which contains the time. Includes the columns that lists filter by.
  primary key (account_id, id) include (event_type, occurred_at)
) partition by range (id);

create index webhook_events_by_subject on webhook_events (account_id, subject_id);

-- Verification and test messages. The id is the delivery's.
create table webhook_controls (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  control_type text not null,
  destination_version integer not null,
  verification_generation integer not null,
  challenge text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
) partition by range (id);

create table webhook_deliveries (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  kind text not null,
  endpoint_id uuid not null,
  -- The id of the event or of the control message. It is sent as `Webhook-Id`.
  message_id uuid not null,
  -- Null for control messages.
  event_type text,
  destination_version integer not null,
  origin_delivery_id uuid,
  replay_id uuid,
  -- Never `processing`: a delivery is processing while its row in the queue is leased.
  status text not null default 'pending',
  suppression_reason text,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
) partition by range (id);

-- Includes every column that lists filter by, because the rows of an account are scattered among those of others. An
-- index for endpoints beside one without the status made lists ten times slower, and capturing a fifth slower.
create index webhook_deliveries_by_time on webhook_deliveries (account_id, created_at, id)
  include (endpoint_id, event_type, kind, status);
-- Failed deliveries are few, and the first thing to look for when a receiver was down.
create index webhook_deliveries_failed on webhook_deliveries (account_id, created_at, id)
  include (endpoint_id, event_type, kind, status) where status in ('exhausted', 'failed-permanent', 'suppressed');

create table webhook_attempts (
  account_id uuid not null,
  delivery_id uuid not null,
  -- Counts every claim, including those that used no attempt.
  sequence integer not null,
  attempt_number integer not null,
  state text not null,
  outcome text,
  http_status integer,
  error_code text,
  duration_ms integer,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (account_id, delivery_id, sequence)
) partition by range (delivery_id);

-- Replays queue all failed deliveries of an endpoint in a range of time again.
create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  endpoint_id uuid not null,
  range_from timestamptz(3) not null,
  range_to timestamptz(3) not null,
  created_count integer not null default 0,
  remaining_count integer not null default 0,
  primary key (account_id, id),
  constraint webhook_replays_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

create index webhook_replays_by_endpoint on webhook_replays (account_id, endpoint_id);

-- The queue ---------------------------------------------------------------------------------------------------------

-- Live work, with the columns that a worker needs to judge it without reading history. A row waits until `due_at`,
-- becomes ready, is leased until `due_at`, and is deleted or waits again.
create table webhook_queue (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  kind text not null,
  event_type text,
  destination_version integer not null,
  verification_generation integer,
  status text not null default 'pending',
  attempts_made integer not null default 0,
  system_failures integer not null default 0,
  expires_at timestamptz(3) not null,

  -- Due and not leased. A sweep sets it when the time has come, so that a partial index can hold the ready rows.
  ready boolean not null default true,
  due_at timestamptz(3) not null,
  -- The fencing token of the worker that holds the row. Results are written only while it is unchanged.
  lease uuid,
  leased_at timestamptz(3),
  claims integer not null default 0,
  primary key (account_id, delivery_id)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  -- A busy queue changes 10,000 rows every few seconds, and its statistics hardly change with them.
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000
);

-- A claim walks this index from endpoint to endpoint. A million rows of one endpoint cost it one step.
create index webhook_queue_ready on webhook_queue (account_id, endpoint_id, due_at) where ready;
create index webhook_queue_waiting on webhook_queue (due_at) where not ready;
