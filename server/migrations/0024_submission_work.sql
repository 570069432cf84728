-- The answers that lists search: names, addresses, numbers and texts, folded, without the values of hidden fields.
alter table form_submissions add column words text not null default '';
-- The first address of the answers, or the one that becomes that of the person.
alter table form_submissions add column sender_email text;

update form_submissions submission set
  words = coalesce((
    select string_agg(fold(part #>> '{}'), ' ' order by position)
    from jsonb_array_elements(number.fields) with ordinality as asked (field, position)
    cross join lateral jsonb_path_query(submission.answers -> (field ->> 'key'), 'strict $.**') as part
    where field ->> 'type' in ('text', 'long-text', 'email', 'phone', 'address') and jsonb_typeof(part) = 'string'), ''),
  sender_email = (
    select submission.answers ->> (field ->> 'key')
    from jsonb_array_elements(number.fields) with ordinality as asked (field, position)
    where field ->> 'type' = 'email' and jsonb_typeof(submission.answers -> (field ->> 'key')) = 'string'
    order by (field ->> 'maps-to' = 'email') desc nulls last, position limit 1)
from form_versions number
where number.account_id = submission.account_id and number.form_id = submission.form_id
  and number.number = submission.form_version;

create index form_submissions_words on form_submissions using gin (account_id, words gin_trgm_ops);
create index form_submissions_by_sender on form_submissions (account_id, lower(sender_email)) where sender_email is not null;

-- A decision about several submissions, and its result for each.
create table form_submission_changes (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  status text not null constraint form_submission_changes_status_known check (status in ('rejected', 'spam', 'archived')),
  results jsonb not null,
  primary key (account_id, id)
);

create table form_submission_change_submissions (
  account_id uuid not null,
  change_id uuid not null,
  submission_id uuid not null,
  primary key (account_id, change_id, submission_id),
  constraint form_submission_change_submissions_change_fkey foreign key (account_id, change_id)
    references form_submission_changes on delete cascade,
  constraint form_submission_change_submissions_submission_fkey foreign key (account_id, submission_id)
    references form_submissions on delete cascade
);
create index form_submission_change_submissions_by_submission
  on form_submission_change_submissions (account_id, submission_id);

-- A second tap on the link of a mail learns that the address is confirmed.
alter table visit_confirmations add column confirmed_at timestamptz(3);
