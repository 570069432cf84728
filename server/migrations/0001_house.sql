-- The house: churches (accounts), their people and courses, who may do what, and who is asking.
--
-- Every table of a church has account_id first in its primary key, and every foreign key between such tables carries
-- it. Another church's row is then out of reach even for a bug, and the schema distributes by account unchanged.
-- Tables that are looked up before the church is known are small and hold no church's data beyond what finds it.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists unaccent;

-- Case and accents folded away, for searching and for sorting names. Immutable on our word: it names its dictionary,
-- and a change to that dictionary would need a reindex.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent'::regdictionary, value));

create function digits(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(value, '\D', '', 'g');

-- Everything a search box should find a person by.
create function person_search_text(full_name text, preferred_name text, email text, other_emails jsonb, phones jsonb)
  returns text
  language sql immutable parallel safe
  return fold(concat_ws(' ',
    full_name,
    preferred_name,
    email,
    (select string_agg(value, ' ') from jsonb_array_elements_text(other_emails) as value),
    (select string_agg(digits(phone ->> 'number'), ' ') from jsonb_array_elements(phones) as phone)));

-- Accounts ----------------------------------------------------------------------------------------------------------

create table accounts (
  id uuid primary key,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  -- Not foreign keys: accounts is looked up before the church is known and is copied to every node of a cluster.
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

-- Integrations belong to the operator, not to a church; a church allows them.
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
  photo_url text,

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
  search_folded text collate "C" not null
    generated always as (person_search_text(full_name, preferred_name, email, other_emails, phones)) stored,
  -- The day to congratulate on, whether or not the year is known.
  birthday text collate "C" generated always as (coalesce(
    birth_month_day,
    lpad(extract(month from birthdate)::text, 2, '0') || '-' || lpad(extract(day from birthdate)::text, 2, '0')
  )) stored,

  primary key (account_id, id),
  constraint people_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint people_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by),
  constraint people_birthday_agrees check (birthdate is null or birth_month_day is null or birth_month_day =
    lpad(extract(month from birthdate)::text, 2, '0') || '-' || lpad(extract(day from birthdate)::text, 2, '0')),
  constraint people_login_needs_email check (not has_login or email is not null),
  -- Together, since a hundred long texts in every row of a page would be a page of megabytes.
  constraint people_custom_properties_size check (octet_length(custom_properties::text) <= 65536)
);

create unique index people_email_key on people (account_id, lower(email)) where email is not null;
create index people_by_name on people (account_id, name_folded, id);
create index people_by_modified on people (account_id, modified_at, id);
create index people_by_created on people (account_id, created_at, id);
create index people_full_administrators on people (account_id)
  where administrative_status = 'full-administrator' and is_active;
-- A short pending list: searches read it from end to end.
create index people_search on people using gin (account_id, search_folded gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create index people_custom_properties on people using gin (account_id, custom_properties jsonb_path_ops)
  with (gin_pending_list_limit = 256) where custom_properties <> '{}';

-- The password lies apart from the person, so that no list of people can ever carry it.
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
-- For the sweep, which is the operator's and looks at every church.
create index access_tokens_by_expiry on access_tokens (expires_at);

-- Which churches know an e-mail address as a login: asked before the church is known.
create table logins (
  email text not null,
  account_id uuid not null,
  person_id uuid not null,
  primary key (email, account_id)
);

create index logins_by_person on logins (account_id, person_id);

-- Failed logins and look-ups, counted by a keyed hash of who and what; rows older than their window are swept.
create table login_throttles (
  key bytea primary key,
  failures integer not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);

create index login_throttles_by_age on login_throttles (last_at);

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
  -- A preset's permissions live in code under this word, so that an upgrade reaches every church.
  code text,
  permissions jsonb not null default '[]',
  description text,
  primary key (account_id, id),
  constraint roles_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint roles_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
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
  constraint role_assignments_role_fkey foreign key (account_id, role_id) references roles (account_id, id),
  constraint role_assignments_granted_by_fkey foreign key (account_id, granted_by)
    references people (account_id, id) on delete set null (granted_by),
  constraint role_assignments_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint role_assignments_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
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
  image_url text,
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
  constraint courses_custom_properties_size check (octet_length(custom_properties::text) <= 65536),
  constraint courses_price_has_currency check (price is null or price = 0 or price_currency is not null),
  constraint courses_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint courses_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index courses_by_name on courses (account_id, name_folded, id);
create index courses_by_modified on courses (account_id, modified_at, id);
create index courses_search on courses using gin (account_id, name_folded gin_trgm_ops);

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

-- What a course and a person relate to. These types show what identifies them and how they relate; the rest of their
-- fields comes with the rooms they belong to.

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
  primary key (account_id, id),
  constraint course_lessons_number_key unique (account_id, course_id, number),
  constraint course_lessons_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_lessons_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint course_lessons_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

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
  primary key (account_id, id),
  constraint course_classes_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_classes_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint course_classes_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index course_classes_by_course on course_classes (account_id, course_id);

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

create table course_materials (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  title text not null,
  audience text not null constraint course_materials_audience_known check (audience in ('student', 'teacher')),
  primary key (account_id, id),
  constraint course_materials_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_materials_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint course_materials_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index course_materials_by_course on course_materials (account_id, course_id);

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
  kind text not null,
  primary key (account_id, id),
  constraint course_requirements_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_requirements_required_course_fkey foreign key (account_id, required_course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_requirements_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint course_requirements_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index course_requirements_by_course on course_requirements (account_id, course_id);

create table course_enrollments (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid,
  person_id uuid not null,
  status text not null default 'requested' constraint course_enrollments_status_known check (status in
    ('requested', 'waitlisted', 'active', 'completed', 'failed', 'withdrawn', 'cancelled')),
  primary key (account_id, id),
  constraint course_enrollments_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_enrollments_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_enrollments_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint course_enrollments_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint course_enrollments_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index course_enrollments_by_course on course_enrollments (account_id, course_id);
create index course_enrollments_by_person on course_enrollments (account_id, person_id);

-- Cells -------------------------------------------------------------------------------------------------------------

create table cells (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  parent_id uuid,
  name text not null,
  primary key (account_id, id),
  constraint cells_parent_fkey foreign key (account_id, parent_id) references cells (account_id, id),
  constraint cells_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint cells_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index cells_by_parent on cells (account_id, parent_id);

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
  cell_role text not null default 'participant' constraint cell_memberships_cell_role_known check (cell_role in
    ('leader', 'co-leader', 'trainee', 'host', 'secretary', 'participant', 'visitor')),
  status text not null default 'active'
    constraint cell_memberships_status_known check (status in ('active', 'left')),
  primary key (account_id, id),
  constraint cell_memberships_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint cell_memberships_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade,
  constraint cell_memberships_created_by_fkey foreign key (account_id, created_by)
    references people (account_id, id) on delete set null (created_by),
  constraint cell_memberships_modified_by_fkey foreign key (account_id, modified_by)
    references people (account_id, id) on delete set null (modified_by)
);

create index cell_memberships_by_person on cell_memberships (account_id, person_id);
create index cell_memberships_by_cell on cell_memberships (account_id, cell_id);
create unique index cell_memberships_active_key on cell_memberships (account_id, person_id, cell_id)
  where status = 'active';

-- Who was there. Meetings get the rest of their fields, and their routes, with the cells' own room; a person's
-- attendance is reckoned from these rows from the first one on.
create table cell_meetings (
  account_id uuid not null,
  id uuid not null,
  cell_id uuid not null,
  date date not null,
  primary key (account_id, id),
  constraint cell_meetings_date_key unique (account_id, cell_id, date),
  constraint cell_meetings_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade
);

create table cell_attendances (
  account_id uuid not null,
  id uuid not null,
  meeting_id uuid not null,
  -- A deleted person's rows stay and count.
  person_id uuid,
  date date not null,
  status text not null constraint cell_attendances_status_known check (status in
    ('present', 'absent', 'excused', 'online')),
  primary key (account_id, id),
  constraint cell_attendances_meeting_fkey foreign key (account_id, meeting_id)
    references cell_meetings (account_id, id) on delete cascade,
  constraint cell_attendances_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete set null (person_id)
);

create index cell_attendances_by_person on cell_attendances (account_id, person_id, date);
create index cell_attendances_by_meeting on cell_attendances (account_id, meeting_id);

-- Requests ----------------------------------------------------------------------------------------------------------

-- The answer to a request that carried an Idempotency-Key, kept for a day. A second request with the key waits on the
-- primary key until the first has committed or rolled back.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  headers jsonb,
  body text,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, route, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);
