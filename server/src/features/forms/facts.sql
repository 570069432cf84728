-- The actions of a form with all their members, without cells, classes and people that no longer exist.
create or replace function form_actions(form forms) returns jsonb
  language sql stable parallel safe
  return jsonb_build_object(
    'create-or-match-person', coalesce((form.actions ->> 'create-or-match-person')::boolean, false),
    'add-to-cell', form.add_to_cell_id,
    'enroll-in-class', form.enroll_in_class_id,
    'notify', coalesce((
      select jsonb_agg(notified.person_id order by notified.person_id) from form_notified_people notified
      where notified.account_id = form.account_id and notified.form_id = form.id), '[]'));

-- The place of a form is that of its versions and submissions.
create or replace view form_version_places as
  select number.account_id, number.id as form_version_id, form.cell_id, form.course_id
  from form_versions number
  join forms form on form.account_id = number.account_id and form.id = number.form_id;

create or replace view form_submission_places as
  select submission.account_id, submission.id as form_submission_id, form.cell_id, form.course_id
  from form_submissions submission
  join forms form on form.account_id = submission.account_id and form.id = submission.form_id;

-- The forms of cells that ask for a log-in, and the people who can fill them in.
create or replace view form_readers as
  select form.account_id, form.id as form_id, member.person_id
  from forms form
  join active_cell_memberships member on member.account_id = form.account_id and member.cell_id = form.cell_id
  where form.requires_login and form.status in ('open', 'closed');

-- The number of submissions of a form that are no spam.
create or replace function form_submissions_count(form forms) returns integer
  language sql stable parallel safe
  return (
    select count(*)::integer from form_submissions submission
    where submission.account_id = form.account_id and submission.form_id = form.id and submission.status <> 'spam');

-- Whether now is between `opens_at` and `closes_at`, and there are fewer submissions than `max_submissions`.
create or replace function is_available_form(form forms) returns boolean
  language sql stable parallel safe
  return coalesce(form.opens_at <= now(), true) and coalesce(form.closes_at > now(), true)
    and coalesce(form.max_submissions > form_submissions_count(form), true);

-- The values that the answers propose for a person, by the attribute to which their fields map.
create or replace function form_proposal(submission form_submissions) returns jsonb
  language sql stable parallel safe
  return (
    select coalesce(jsonb_object_agg(field ->> 'maps-to', submission.answers -> (field ->> 'key')), '{}')
    from form_versions number
    cross join lateral jsonb_array_elements(number.fields) as field
    where number.account_id = submission.account_id and number.form_id = submission.form_id
      and number.number = submission.form_version
      and field ->> 'maps-to' is not null and submission.answers ? (field ->> 'key'));

-- The person of a submission, or else the people whom the service suggests.
create or replace view form_likely_people as
  select account_id, id as submission_id, person_id, 0 as position from form_submissions where person_id is not null
  union all
  select suggested.account_id, suggested.submission_id, suggested.person_id, suggested.position
  from form_submission_suggestions suggested
  join form_submissions submission on submission.account_id = suggested.account_id
    and submission.id = suggested.submission_id
  where submission.person_id is null;

-- The changes that the answers propose for a person.
create or replace function form_suggested_changes(submission form_submissions, person uuid) returns jsonb
  language sql stable parallel safe
  return case when submission.status = 'new'
    then coalesce(person_changes(submission.account_id, person, form_proposal(submission)), '{}') else '{}' end;

-- The answers that a search finds: names, addresses, numbers and texts. Hidden fields are about the link, and not about the sender.
create or replace function form_search_text(fields jsonb, answers jsonb) returns text
  language sql stable parallel safe
  return coalesce((
    select string_agg(fold(part #>> '{}'), ' ' order by position)
    from jsonb_array_elements(fields) with ordinality as asked (field, position)
    cross join lateral jsonb_path_query(answers -> (field ->> 'key'), 'strict $.**') as part
    where field ->> 'type' in ('text', 'long-text', 'email', 'phone', 'address') and jsonb_typeof(part) = 'string'), '');

-- The address that becomes that of the person, or else the first one.
create or replace function form_sender_email(fields jsonb, answers jsonb) returns text
  language sql stable parallel safe
  return (
    select answers ->> (field ->> 'key')
    from jsonb_array_elements(fields) with ordinality as asked (field, position)
    where field ->> 'type' = 'email' and jsonb_typeof(answers -> (field ->> 'key')) = 'string'
    order by (field ->> 'maps-to' = 'email') desc nulls last, position limit 1);

-- The submissions that totals count. Spam and declined ones do not.
create or replace view form_counted_submissions as
  select account_id, form_id, answers, source,
    (submitted_at at time zone time_zone_of(account_id))::date as day
  from form_submissions where status not in ('spam', 'rejected');

-- The answers to each question with options or numbers: how often each option was chosen, and the sum of the numbers.
create or replace function form_answer_totals(form forms) returns jsonb
  language sql stable parallel safe
  return (
    with asked as (
      select field ->> 'key' as key, field ->> 'type' as type, position
      from jsonb_array_elements(form.fields) with ordinality as question (field, position)
      where field ->> 'type' in ('select', 'multi-select', 'boolean', 'consent', 'number')),
    given as materialized (
      select asked.key, asked.type, submission.answers -> asked.key as answer
      from form_counted_submissions submission
      join asked on submission.answers ? asked.key
      where submission.account_id = form.account_id and submission.form_id = form.id),
    chosen as (
      select key, value #>> '{}' as value, count(*) as times from given
      cross join lateral jsonb_array_elements(
        case jsonb_typeof(answer) when 'array' then answer else jsonb_build_array(answer) end) as value
      where type <> 'number' group by 1, 2),
    counted as (
      select key, jsonb_agg(jsonb_build_object('value', value, 'count', times) order by times desc, value) as counts
      from chosen group by key),
    summed as (
      select key, count(*) as answered, sum(case when jsonb_typeof(answer) = 'number' then answer::text::numeric end) as sum
      from given group by key)
    select coalesce(jsonb_agg(jsonb_build_object(
        'key', asked.key, 'answered', coalesce(summed.answered, 0),
        'counts', case when asked.type = 'number' then null else coalesce(counted.counts, '[]') end,
        'sum', case when asked.type = 'number' then coalesce(summed.sum, 0) end) order by asked.position), '[]')
    from asked left join counted on counted.key = asked.key left join summed on summed.key = asked.key);

-- The counted submissions by their source.
create or replace function form_source_totals(form forms) returns jsonb
  language sql stable parallel safe
  return coalesce((
    select jsonb_object_agg(source, times) from (
      select source, count(*) as times from form_counted_submissions submission
      where submission.account_id = form.account_id and submission.form_id = form.id group by source) as counted), '{}');

-- Those of the last 90 days. A day without any is left out.
create or replace function form_day_totals(form forms) returns jsonb
  language sql stable parallel safe
  return coalesce((
    select jsonb_agg(jsonb_build_object('date', day, 'count', times) order by day) from (
      select day, count(*) as times from form_counted_submissions submission
      where submission.account_id = form.account_id and submission.form_id = form.id
        and day > today_in(form.account_id) - 90 group by day) as counted), '[]');

create or replace view form_totals as
  select form.account_id, form.id, form.cell_id, form.course_id, form_answer_totals(form) as fields,
    form_source_totals(form) as sources, form_day_totals(form) as days
  from forms form;
