create table forms (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  name text not null,
  name_folded text not null generated always as (fold(name)) stored,
  description text,
  slug text,
  status text not null default 'draft'
    constraint forms_status_known check (status in ('draft', 'open', 'closed', 'archived')),
  opens_at timestamptz(3),
  closes_at timestamptz(3),
  max_submissions integer,
  requires_login boolean not null default false,
  fields jsonb not null,
  privacy_notice text,
  -- Increases with every change of the fields or the privacy notice.
  version_number integer not null default 1,
  -- As the document sent it. The ids in it also stand in columns with foreign keys, which say what still exists.
  actions jsonb not null default '{}',
  add_to_cell_id uuid,
  enroll_in_class_id uuid,
  confirmation_message text,
  confirmation_email boolean not null default false,
  challenge text not null default 'pow' constraint forms_challenge_known check (challenge in ('none', 'pow')),
  retention_days integer not null default 365,
  cell_id uuid,
  course_id uuid,
  owner_id uuid,
  primary key (account_id, id),
  constraint forms_slug_key unique (account_id, slug),
  constraint forms_one_place check (num_nonnulls(cell_id, course_id) <= 1),
  constraint forms_closes_after_opening check (closes_at > opens_at),
  constraint forms_cell_fkey foreign key (account_id, cell_id)
    references cells (account_id, id) on delete cascade,
  constraint forms_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint forms_add_to_cell_fkey foreign key (account_id, add_to_cell_id)
    references cells (account_id, id) on delete set null (add_to_cell_id),
  constraint forms_enroll_in_class_fkey foreign key (account_id, enroll_in_class_id)
    references course_classes (account_id, id) on delete set null (enroll_in_class_id),
  constraint forms_owner_fkey foreign key (account_id, owner_id)
    references people (account_id, id) on delete set null (owner_id)
);

create index forms_by_name on forms (account_id, name_folded, id);
create index forms_by_cell on forms (account_id, cell_id);
create index forms_by_course on forms (account_id, course_id);
create index forms_by_added_cell on forms (account_id, add_to_cell_id);
create index forms_by_enrolled_class on forms (account_id, enroll_in_class_id);
create index forms_by_owner on forms (account_id, owner_id);

-- The people who get a mail about the arrival of a submission.
create table form_notified_people (
  account_id uuid not null,
  form_id uuid not null,
  person_id uuid not null,
  primary key (account_id, form_id, person_id),
  constraint form_notified_people_form_fkey foreign key (account_id, form_id)
    references forms (account_id, id) on delete cascade,
  constraint form_notified_people_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index form_notified_people_by_person on form_notified_people (account_id, person_id);

create table form_versions (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_at timestamptz(3) not null default now(),
  modified_by uuid,
  form_id uuid not null,
  number integer not null,
  fields jsonb not null,
  privacy_notice text,
  primary key (account_id, id),
  constraint form_versions_number_key unique (account_id, form_id, number),
  constraint form_versions_form_fkey foreign key (account_id, form_id)
    references forms (account_id, id) on delete cascade
);

create table form_submissions (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  form_id uuid not null,
  form_version integer not null,
  submitted_at timestamptz(3) not null default now(),
  answers jsonb not null,
  status text not null default 'new' constraint form_submissions_status_known
    check (status in ('new', 'processed', 'rejected', 'spam', 'archived')),
  -- Receivers know of the submission, because it was new at some time.
  is_announced boolean not null default false,
  source text not null default 'staff' constraint form_submissions_source_known
    check (source in ('public', 'staff', 'member', 'import')),
  -- The version of the privacy notice and the time of the consent.
  consent jsonb,
  -- A keyed hash of the address from which the consent came. Deleted after 30 days.
  consent_ip_hash bytea,
  -- The owner of the e-mail address confirmed the submission.
  is_confirmed boolean not null default false,
  spam_score integer not null default 0,
  results jsonb,
  person_id uuid,
  reviewed_by uuid,
  primary key (account_id, id),
  constraint form_submissions_form_fkey foreign key (account_id, form_id)
    references forms (account_id, id) on delete cascade,
  constraint form_submissions_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete set null (person_id)
);

create index form_submissions_by_time on form_submissions (account_id, submitted_at, id);
create index form_submissions_by_form on form_submissions (account_id, form_id, status);
create index form_submissions_by_person on form_submissions (account_id, person_id);
create index form_submissions_by_age on form_submissions (account_id, form_id, submitted_at);
-- For the job that deletes hashes, which covers all accounts.
create index form_submissions_with_hash on form_submissions (submitted_at) where consent_ip_hash is not null;

-- People who may have sent the submission.
create table form_submission_suggestions (
  account_id uuid not null,
  submission_id uuid not null,
  person_id uuid not null,
  -- The most likely person comes first.
  position integer not null default 0,
  primary key (account_id, submission_id, person_id),
  constraint form_submission_suggestions_submission_fkey foreign key (account_id, submission_id)
    references form_submissions (account_id, id) on delete cascade,
  constraint form_submission_suggestions_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index form_submission_suggestions_by_person on form_submission_suggestions (account_id, person_id);

create table course_enrollment_requests (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  class_id uuid not null,
  course_id uuid not null,
  -- The person whom the approval enrolled.
  person_id uuid,
  -- Names, e-mail address and telephone number of an unknown person. Deleted some time after the decision.
  contact jsonb,
  message text,
  status text not null default 'pending' constraint course_enrollment_requests_status_known
    check (status in ('pending', 'approved', 'declined', 'cancelled')),
  source text not null default 'public'
    constraint course_enrollment_requests_source_known check (source in ('public')),
  is_confirmed boolean not null default false,
  decline_reason text,
  decided_at timestamptz(3),
  decided_by uuid,
  primary key (account_id, id),
  constraint course_enrollment_requests_names_someone
    check (status <> 'pending' or person_id is not null or contact is not null),
  constraint course_enrollment_requests_class_fkey foreign key (account_id, class_id)
    references course_classes (account_id, id) on delete cascade,
  constraint course_enrollment_requests_course_fkey foreign key (account_id, course_id)
    references courses (account_id, id) on delete cascade,
  constraint course_enrollment_requests_person_fkey foreign key (account_id, person_id)
    references people (account_id, id) on delete cascade
);

create index course_enrollment_requests_by_class on course_enrollment_requests (account_id, class_id);
create index course_enrollment_requests_by_course on course_enrollment_requests (account_id, course_id);
create index course_enrollment_requests_by_person on course_enrollment_requests (account_id, person_id);
-- For the job that deletes contacts, which covers all accounts.
create index course_enrollment_requests_by_decision on course_enrollment_requests (decided_at) where contact is not null;
