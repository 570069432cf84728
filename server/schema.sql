-- Generated from a migrated database by `npm run generate`. To change it, add a migration.

create extension btree_gin;

create extension pg_trgm;

create extension unaccent;

CREATE OR REPLACE FUNCTION public.absences_of(in_account uuid, of_person uuid, after date)
 RETURNS SETOF date
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT cell_attendances.date
    FROM cell_attendances
   WHERE ((cell_attendances.account_id = absences_of.in_account) AND (cell_attendances.person_id = absences_of.of_person) AND (cell_attendances.status = 'absent'::text) AND (cell_attendances.date > absences_of.after))
 UNION ALL
  SELECT missed_attendances.date
    FROM missed_attendances
   WHERE ((missed_attendances.account_id = absences_of.in_account) AND (missed_attendances.person_id = absences_of.of_person) AND (missed_attendances.date > absences_of.after));
END;

CREATE OR REPLACE FUNCTION public.add_counts(one integer[], other integer[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT array_agg((COALESCE(both_of.a, 0) + COALESCE(both_of.b, 0)) ORDER BY both_of.place) AS array_agg FROM UNNEST(add_counts.one, add_counts.other) WITH ORDINALITY both_of(a, b, place));

CREATE OR REPLACE FUNCTION public.age_of(birthdate date)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (EXTRACT(year FROM age((birthdate)::timestamp with time zone)))::integer;

CREATE OR REPLACE FUNCTION public.assignments_of(in_account uuid, of_person uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    select json_agg(json_build_array(held.code, held.permissions, held.scope_type, held.scope_ids,
      held.valid_until, held.is_derived))
    from held_roles held where held.account_id = in_account and held.person_id = of_person);
end $function$;

CREATE OR REPLACE FUNCTION public.attendance_summary(in_account uuid, of_person uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  since date := today_in(in_account) - 90;
  attended integer;
  missed integer;
begin
  select count(*) into attended from cell_attendances
  where account_id = in_account and person_id = of_person and was_present(status) and date > since;
  select count(*) into missed from absences_of(in_account, of_person, since);
  return (
    select jsonb_build_object(
      'last-attended-at', last_attended_on,
      'rate-90d', 100 * attended / nullif(attended + missed, 0),
      'absent-streak', absent_streak)
    from person_absences where account_id = in_account and person_id = of_person);
end $function$;

CREATE OR REPLACE FUNCTION public.attends_lesson(status text, excused_counts boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((status = ANY (ARRAY['present'::text, 'late'::text, 'online'::text])) OR ((status = 'excused'::text) AND excused_counts));

CREATE OR REPLACE FUNCTION public.cell_search_text(name text, category text, address jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN fold(concat_ws(' '::text, name, category, (address ->> 'neighborhood'::text), (address ->> 'city'::text)));

CREATE OR REPLACE FUNCTION public.cell_week_counts(in_account uuid, in_cells uuid[], first_day date, last_day date)
 RETURNS TABLE(cell_id uuid, week date, expected integer, submitted integer, held integer, present integer, visitors integer, members integer, member_days bigint, members_present bigint)
 LANGUAGE sql
 STABLE
 SET enable_nestloop TO 'off'
 SET enable_sort TO 'off'
 SET work_mem TO '32MB'
BEGIN ATOMIC
 WITH period AS MATERIALIZED (
          SELECT known.cell_id,
             known.person_id,
             known.since,
             known.until
            FROM member_periods known
           WHERE ((known.account_id = cell_week_counts.in_account) AND (known.cell_id = ANY (cell_week_counts.in_cells)))
         ), change AS (
          SELECT period.cell_id,
             period.since AS day,
             1 AS members,
             0 AS present,
             0 AS members_present,
             NULL::text AS status,
             false AS is_submitted,
             0 AS visitors
            FROM period
         UNION ALL
          SELECT period.cell_id,
             period.until,
             '-1'::integer,
             0,
             0,
             NULL::text,
             false,
             0
            FROM period
           WHERE (period.until IS NOT NULL)
         UNION ALL
          SELECT attendance.cell_id,
             attendance.date,
             0,
             (count(*))::integer AS count,
             (count(period.person_id))::integer AS count,
             NULL::text,
             false,
             0
            FROM (cell_attendances attendance
              LEFT JOIN period ON (((period.cell_id = attendance.cell_id) AND (period.person_id = attendance.person_id) AND (attendance.date >= period.since) AND ((period.until IS NULL) OR (attendance.date < period.until)))))
           WHERE ((attendance.account_id = cell_week_counts.in_account) AND (attendance.cell_id = ANY (cell_week_counts.in_cells)) AND was_present(attendance.status) AND ((attendance.date >= cell_week_counts.first_day) AND (attendance.date <= cell_week_counts.last_day)))
           GROUP BY attendance.cell_id, attendance.date
         UNION ALL
          SELECT former.cell_id,
             former.date,
             0,
             0,
             1,
             NULL::text,
             false,
             0
            FROM (cell_attendances former
              JOIN period ON (((period.cell_id = former.cell_id) AND (period.person_id = former.membership_id) AND (former.date >= period.since) AND ((period.until IS NULL) OR (former.date < period.until)))))
           WHERE ((former.account_id = cell_week_counts.in_account) AND (former.membership_id IS NOT NULL) AND (former.cell_id = ANY (cell_week_counts.in_cells)) AND was_present(former.status) AND ((former.date >= cell_week_counts.first_day) AND (former.date <= cell_week_counts.last_day)))
         UNION ALL
          SELECT meeting_1.cell_id,
             meeting_1.date,
             0,
             0,
             0,
             meeting_1.status,
             (meeting_1.submitted_at IS NOT NULL),
             meeting_1.visitors_count
            FROM cell_meetings meeting_1
           WHERE ((meeting_1.account_id = cell_week_counts.in_account) AND (meeting_1.cell_id = ANY (cell_week_counts.in_cells)) AND ((meeting_1.date >= cell_week_counts.first_day) AND (meeting_1.date <= cell_week_counts.last_day)))
         ), meeting AS (
          SELECT change.cell_id,
             change.day,
             max(change.status) AS status,
             bool_or(change.is_submitted) AS is_submitted,
             max(change.visitors) AS visitors,
             max(change.present) AS present,
             sum(change.members_present) AS members_present,
             (sum((sum(change.members))::integer) OVER (PARTITION BY change.cell_id ORDER BY change.day))::integer AS members
            FROM change
           GROUP BY change.cell_id, change.day
         )
  SELECT meeting.cell_id,
     week_of(meeting.day, ( SELECT account_facts.first_weekday
            FROM account_facts
           WHERE (account_facts.account_id = cell_week_counts.in_account))) AS week_of,
     count(*) FILTER (WHERE (meeting.status <> 'cancelled'::text)) AS count,
     count(*) FILTER (WHERE meeting.is_submitted) AS count,
     count(*) FILTER (WHERE (meeting.status = 'held'::text)) AS count,
     COALESCE(sum(meeting.present) FILTER (WHERE (meeting.status = 'held'::text)), (0)::bigint) AS "coalesce",
     COALESCE(sum(meeting.visitors) FILTER (WHERE (meeting.status = 'held'::text)), (0)::bigint) AS "coalesce",
     max(meeting.members) FILTER (WHERE (meeting.status = 'held'::text)) AS max,
     sum(meeting.members) FILTER (WHERE (meeting.status = 'held'::text)) AS sum,
     sum(meeting.members_present) FILTER (WHERE (meeting.status = 'held'::text)) AS sum
    FROM meeting
   WHERE (meeting.status IS NOT NULL)
   GROUP BY meeting.cell_id, (week_of(meeting.day, ( SELECT account_facts.first_weekday
            FROM account_facts
           WHERE (account_facts.account_id = cell_week_counts.in_account))));
END;

CREATE OR REPLACE FUNCTION public.digits(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(value, '\D'::text, ''::text, 'g'::text);

CREATE OR REPLACE FUNCTION public.fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(unaccent('unaccent'::regdictionary, value));

CREATE OR REPLACE FUNCTION public.form_actions(form forms)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN jsonb_build_object('create-or-match-person', COALESCE((((form).actions ->> 'create-or-match-person'::text))::boolean, false), 'add-to-cell', (form).add_to_cell_id, 'enroll-in-class', (form).enroll_in_class_id, 'notify', COALESCE((SELECT jsonb_agg(notified.person_id ORDER BY notified.person_id) AS jsonb_agg FROM form_notified_people notified WHERE ((notified.account_id = (form_actions.form).account_id) AND (notified.form_id = (form_actions.form).id))), '[]'::jsonb));

CREATE OR REPLACE FUNCTION public.form_answer_totals(form forms)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (WITH asked AS (SELECT (question.field ->> 'key'::text) AS key, (question.field ->> 'type'::text) AS type, question."position" FROM jsonb_array_elements((form_answer_totals.form).fields) WITH ORDINALITY question(field, "position") WHERE ((question.field ->> 'type'::text) = ANY (ARRAY['select'::text, 'multi-select'::text, 'boolean'::text, 'consent'::text, 'number'::text]))), given AS MATERIALIZED (SELECT asked_1.key, asked_1.type, (submission.answers -> asked_1.key) AS answer FROM (form_counted_submissions submission JOIN asked asked_1 ON ((submission.answers ? asked_1.key))) WHERE ((submission.account_id = (form_answer_totals.form).account_id) AND (submission.form_id = (form_answer_totals.form).id))), chosen AS (SELECT given.key, (value.value #>> '{}'::text[]) AS value, count(*) AS times FROM (given CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(given.answer) WHEN 'array'::text THEN given.answer ELSE jsonb_build_array(given.answer) END) value(value)) WHERE (given.type <> 'number'::text) GROUP BY given.key, (value.value #>> '{}'::text[])), counted AS (SELECT chosen.key, jsonb_agg(jsonb_build_object('value', chosen.value, 'count', chosen.times) ORDER BY chosen.times DESC, chosen.value) AS counts FROM chosen GROUP BY chosen.key), summed AS (SELECT given.key, count(*) AS answered, sum(CASE WHEN (jsonb_typeof(given.answer) = 'number'::text) THEN ((given.answer)::text)::numeric ELSE NULL::numeric END) AS sum FROM given GROUP BY given.key) SELECT COALESCE(jsonb_agg(jsonb_build_object('key', asked.key, 'answered', COALESCE(summed.answered, (0)::bigint), 'counts', CASE WHEN (asked.type = 'number'::text) THEN NULL::jsonb ELSE COALESCE(counted.counts, '[]'::jsonb) END, 'sum', CASE WHEN (asked.type = 'number'::text) THEN COALESCE(summed.sum, (0)::numeric) ELSE NULL::numeric END) ORDER BY asked."position"), '[]'::jsonb) AS "coalesce" FROM ((asked LEFT JOIN counted ON ((counted.key = asked.key))) LEFT JOIN summed ON ((summed.key = asked.key))));

CREATE OR REPLACE FUNCTION public.form_day_totals(form forms)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT jsonb_agg(jsonb_build_object('date', counted.day, 'count', counted.times) ORDER BY counted.day) AS jsonb_agg FROM (SELECT submission.day, count(*) AS times FROM form_counted_submissions submission WHERE ((submission.account_id = (form_day_totals.form).account_id) AND (submission.form_id = (form_day_totals.form).id) AND (submission.day > (today_in((form_day_totals.form).account_id) - 90))) GROUP BY submission.day) counted), '[]'::jsonb);

CREATE OR REPLACE FUNCTION public.form_proposal(submission form_submissions)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT COALESCE(jsonb_object_agg((field.value ->> 'maps-to'::text), ((form_proposal.submission).answers -> (field.value ->> 'key'::text))), '{}'::jsonb) AS "coalesce" FROM (form_versions number CROSS JOIN LATERAL jsonb_array_elements(number.fields) field(value)) WHERE ((number.account_id = (form_proposal.submission).account_id) AND (number.form_id = (form_proposal.submission).form_id) AND (number.number = (form_proposal.submission).form_version) AND ((field.value ->> 'maps-to'::text) IS NOT NULL) AND ((form_proposal.submission).answers ? (field.value ->> 'key'::text))));

CREATE OR REPLACE FUNCTION public.form_search_text(fields jsonb, answers jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT string_agg(fold((part.part #>> '{}'::text[])), ' '::text ORDER BY asked."position") AS string_agg FROM (jsonb_array_elements(form_search_text.fields) WITH ORDINALITY asked(field, "position") CROSS JOIN LATERAL jsonb_path_query((form_search_text.answers -> (asked.field ->> 'key'::text)), 'strict $.**'::jsonpath) part(part)) WHERE (((asked.field ->> 'type'::text) = ANY (ARRAY['text'::text, 'long-text'::text, 'email'::text, 'phone'::text, 'address'::text])) AND (jsonb_typeof(part.part) = 'string'::text))), ''::text);

CREATE OR REPLACE FUNCTION public.form_sender_email(fields jsonb, answers jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT (form_sender_email.answers ->> (asked.field ->> 'key'::text)) FROM jsonb_array_elements(form_sender_email.fields) WITH ORDINALITY asked(field, "position") WHERE (((asked.field ->> 'type'::text) = 'email'::text) AND (jsonb_typeof((form_sender_email.answers -> (asked.field ->> 'key'::text))) = 'string'::text)) ORDER BY ((asked.field ->> 'maps-to'::text) = 'email'::text) DESC NULLS LAST, asked."position" LIMIT 1);

CREATE OR REPLACE FUNCTION public.form_source_totals(form forms)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT jsonb_object_agg(counted.source, counted.times) AS jsonb_object_agg FROM (SELECT submission.source, count(*) AS times FROM form_counted_submissions submission WHERE ((submission.account_id = (form_source_totals.form).account_id) AND (submission.form_id = (form_source_totals.form).id)) GROUP BY submission.source) counted), '{}'::jsonb);

CREATE OR REPLACE FUNCTION public.form_submissions_count(form forms)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT (count(*))::integer AS count FROM form_submissions submission WHERE ((submission.account_id = (form_submissions_count.form).account_id) AND (submission.form_id = (form_submissions_count.form).id) AND (submission.status <> 'spam'::text)));

CREATE OR REPLACE FUNCTION public.form_suggested_changes(submission form_submissions, person uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN ((submission).status = 'new'::text) THEN COALESCE(person_changes((submission).account_id, person, form_proposal(submission)), '{}'::jsonb) ELSE '{}'::jsonb END;

CREATE OR REPLACE FUNCTION public.history_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE OR REPLACE FUNCTION public.history_id(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN ((((lpad(to_hex((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint), 12, '0'::text) || '7'::text) || lpad(to_hex((floor((mod((EXTRACT(epoch FROM at) * (1000)::numeric), (1)::numeric) * (4096)::numeric)))::integer), 3, '0'::text)) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 17)))::uuid;

CREATE OR REPLACE FUNCTION public.is_available_form(form forms)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(((form).opens_at <= now()), true) AND COALESCE(((form).closes_at > now()), true) AND COALESCE(((form).max_submissions > form_submissions_count(form)), true));

CREATE OR REPLACE FUNCTION public.is_child(birthdate date, age_limit integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (age_of(birthdate) < age_limit);

CREATE OR REPLACE FUNCTION public.is_enrolled(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (status = ANY (ARRAY['requested'::text, 'waitlisted'::text, 'active'::text, 'completed'::text, 'failed'::text]));

CREATE OR REPLACE FUNCTION public.is_leading_role(cell_role text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (cell_role = ANY (ARRAY['leader'::text, 'co-leader'::text]));

CREATE OR REPLACE FUNCTION public.is_member_role(cell_role text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (cell_role <> 'visitor'::text);

CREATE OR REPLACE FUNCTION public.is_open_custom_field(in_account uuid, of_type text, name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT ((COALESCE((account.field ->> 'read-access'::text), 'scope'::text) = 'scope'::text) AND (NOT COALESCE(((account.field ->> 'archived'::text))::boolean, false))) FROM (SELECT ((accounts.custom_properties -> is_open_custom_field.of_type) -> is_open_custom_field.name) AS field FROM accounts WHERE (accounts.id = is_open_custom_field.in_account)) account WHERE (account.field IS NOT NULL)), false);

CREATE OR REPLACE FUNCTION public.is_same_name(one text, other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (name_words(one) = name_words(other));

CREATE OR REPLACE FUNCTION public.is_student(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (status = ANY (ARRAY['active'::text, 'completed'::text]));

CREATE OR REPLACE FUNCTION public.journal_action(one text, other text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT known.action FROM unnest(ARRAY['merged'::text, 'deleted'::text, 'permission-changed'::text, 'password-changed'::text, 'login-failed'::text, 'logged-in'::text, 'created'::text, 'updated'::text]) WITH ORDINALITY known(action, rank) WHERE (known.action = ANY (ARRAY[journal_action.one, journal_action.other])) ORDER BY known.rank LIMIT 1);

CREATE OR REPLACE FUNCTION public.journal_add(in_account uuid, of_type text, of_id uuid, done text, told text, differences jsonb DEFAULT '{}'::jsonb, about uuid DEFAULT NULL::uuid, at_places uuid[] DEFAULT NULL::uuid[], kept uuid DEFAULT NULL::uuid, are_links boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  author jsonb := nullif(current_setting('vestry.write', true), '')::jsonb;
  own_entry text := case
    when told in ('created', 'updated', 'deleted', 'permission-changed') and author ->> 'type' <> of_type then null
    else told end;
  -- Changes that the table does not show, by the resource.
  noted jsonb := author -> 'noted' -> of_id::text;
  omitting text[];
begin
  if noted is not null and own_entry in ('updated', 'permission-changed') then
    differences := differences || noted;
  end if;
  if current_setting('vestry.journal_moment', true) <> ''
    and journal_join(in_account, of_type, of_id, done, own_entry, differences, about, at_places, kept, are_links)
  then
    return;
  end if;
  if octet_length(differences::text) > 65536 then
    select * into differences, omitting from journal_within(differences);
  end if;
  insert into journal (account_id, id, occurred_at, action, entry, resource_type, resource_id, subject_id, places,
    merged_into, changes, omitted, actor_id, cause, request_id, integration_id, batch_id, ip)
  values (in_account, journal_position(in_account), date_trunc('milliseconds', now()), done, own_entry, of_type, of_id, about, at_places,
    kept, differences, omitting, (author ->> 'actor')::uuid, coalesce(author ->> 'cause', 'system'),
    (author ->> 'request')::uuid, (author ->> 'integration')::uuid, (author ->> 'batch')::uuid, (author ->> 'ip')::inet);
end $function$;

CREATE OR REPLACE FUNCTION public.journal_anonymized(in_account uuid, person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform journal_forget(in_account, person);
  perform journal_add(in_account, 'people', person, 'left', null, '{}', person);
end $function$;

CREATE OR REPLACE FUNCTION public.journal_both(earlier jsonb, later jsonb, are_links boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT COALESCE(jsonb_object_agg(either.member, jsonb_build_object('from', either.was, 'to', either.becomes)), '{}'::jsonb) AS "coalesce" FROM (SELECT COALESCE(first.key, second.key) AS member, CASE WHEN (first.value IS NULL) THEN (second.value -> 'from'::text) WHEN ((second.value IS NULL) OR (NOT journal_both.are_links)) THEN (first.value -> 'from'::text) ELSE ((first.value -> 'from'::text) || (second.value -> 'from'::text)) END AS was, CASE WHEN (second.value IS NULL) THEN (first.value -> 'to'::text) WHEN ((first.value IS NULL) OR (NOT journal_both.are_links)) THEN (second.value -> 'to'::text) ELSE ((first.value -> 'to'::text) || (second.value -> 'to'::text)) END AS becomes FROM (jsonb_each(journal_both.earlier) first(key, value) FULL JOIN jsonb_each(journal_both.later) second(key, value) ON ((second.key = first.key)))) either WHERE (either.was IS DISTINCT FROM either.becomes));

CREATE OR REPLACE FUNCTION public.journal_custom_changes(in_account uuid, of_type text, before jsonb, after jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce((
    select jsonb_object_agg('custom-properties.' || key, case when is_open_custom_field(in_account, of_type, key)
      then jsonb_build_object('from', coalesce(was.value, 'null'), 'to', coalesce(becomes.value, 'null'))
      else jsonb_build_object('from', '[redacted]', 'to', '[redacted]') end)
    from jsonb_each(before) was full join jsonb_each(after) becomes using (key)
    where was.value is distinct from becomes.value), '{}');
end $function$;

CREATE OR REPLACE FUNCTION public.journal_follow(on_table text, name text, events text, runs text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  present text := (select tgfoid::regproc from pg_trigger where tgrelid = on_table::regclass and tgname = name);
begin
  if present = runs then return; end if;
  if present is not null then execute format('drop trigger %I on %I', name, on_table); end if;
  execute format(
    'create constraint trigger %I after %s on %I deferrable initially deferred for each row'
    || ' when (current_setting(''vestry.journal'', true) is distinct from ''off'') execute function %I()',
    name, events, on_table, runs);
end $function$;

CREATE OR REPLACE FUNCTION public.journal_forget(in_account uuid, person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update journal set changes = '{}', omitted = null, ip = case when actor_id = person then null else ip end
    where account_id = in_account and (resource_id = person or subject_id = person and subject_id <> resource_id);
end $function$;

CREATE OR REPLACE FUNCTION public.journal_join(in_account uuid, of_type text, of_id uuid, done text, told text, differences jsonb, about uuid, at_places uuid[], kept uuid, are_links boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  moment text[] := string_to_array(current_setting('vestry.journal_moment', true), ' ');
  own_entry text := told;
  held journal;
  omitting text[];
begin
  if moment[1] is distinct from in_account::text then return false; end if;
  select * into held from journal
    where account_id = in_account and resource_id = of_id and resource_type = of_type
      and id >= (moment[2] || '000000000000000')::uuid;
  if held.id is null then return false; end if;
  own_entry := journal_action(held.entry, own_entry);
  if own_entry in ('created', 'deleted') then
    differences := '{}';
  elsif own_entry = 'merged' then
    differences := case told when 'merged' then differences else held.changes end;
    omitting := held.omitted;
  else
    -- A later change brings no omitted value back, because the value before it is gone.
    select * into differences, omitting
      from journal_within(journal_both(held.changes, differences - coalesce(held.omitted, '{}'), are_links));
    omitting := nullif(coalesce(held.omitted, '{}') || omitting, '{}');
  end if;
  update journal set
    action = case when done in ('deleted', 'merged', 'left') or action is null then done else action end,
    entry = own_entry,
    changes = differences,
    omitted = omitting,
    subject_id = coalesce(about, subject_id),
    places = case when at_places <@ places then places else coalesce(places, '{}') || at_places end,
    merged_into = coalesce(kept, merged_into)
  where account_id = in_account and id = held.id;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.journal_merge(in_account uuid, kept uuid, merge uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform journal_add(in_account, 'people', kept, 'updated', 'merged',
    jsonb_build_object('merged-ids', jsonb_build_object('from', '[]'::jsonb, 'to', (
      select jsonb_agg(id) from merged_people where account_id = in_account and merge_id = merge))), kept);
end $function$;

CREATE OR REPLACE FUNCTION public.journal_person_gone(in_account uuid, person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  kept uuid := (select kept_id from merged_people where account_id = in_account and id = person);
begin
  if kept is not null then
    update journal set subject_id = kept
      where account_id = in_account and (resource_id = person or subject_id = person and subject_id <> resource_id);
    perform journal_add(in_account, 'people', person, 'merged', null, '{}', person, kept => kept);
  else
    perform journal_forget(in_account, person);
    perform journal_add(in_account, 'people', person, 'deleted', 'deleted', '{}', person);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.journal_position(in_account uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  held text[] := string_to_array(current_setting('vestry.journal_moment', true), ' ');
  milliseconds double precision;
  own bigint;
begin
  if held[1] is distinct from in_account::text then
    -- Here, so that a node that knows nothing of other servers writes nothing to an account that moves.
    perform pass_moves(in_account);
    milliseconds := date_part('epoch', now()) * 1000;
    update journal_heads set moment = greatest(moment + 1, floor(milliseconds)::bigint)
      where account_id = in_account returning moment into own;
    if own is null then
      insert into journal_heads as head (account_id, moment)
        values (in_account, floor(milliseconds)::bigint)
        on conflict (account_id) do update set moment = greatest(head.moment + 1, excluded.moment)
        returning moment into own;
    end if;
    -- The fraction of the millisecond tells a transaction after a restore from one before it.
    held := array[in_account::text, lpad(to_hex(own), 12, '0')
      || '7' || lpad(to_hex(((milliseconds - floor(milliseconds)) * 4095)::integer), 3, '0') || '8', '0'];
  end if;
  own := held[3]::bigint + 1;
  perform set_config('vestry.journal_moment', held[1] || ' ' || held[2] || ' ' || own, true);
  -- The last four digits are free for rows that a reader derives from this one.
  return (held[2] || lpad(to_hex(own - 1), 11, '0') || '0000')::uuid;
end $function$;

CREATE OR REPLACE FUNCTION public.journal_within(INOUT changes jsonb, OUT omitted text[])
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  longest text;
begin
  omitted := '{}';
  while octet_length(changes::text) > 65536 loop
    select key into longest from jsonb_each(changes) order by octet_length(value::text) desc limit 1;
    changes := changes - longest;
    omitted := omitted || longest;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.kilometers_between(latitude double precision, longitude double precision, other_latitude double precision, other_longitude double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return 2 * 6371 * asin(least(1, sqrt(
    power(sind((latitude - other_latitude) / 2), 2)
    + cosd(latitude) * cosd(other_latitude) * power(sind((longitude - other_longitude) / 2), 2))));
end $function$;

CREATE OR REPLACE FUNCTION public.last_change_of(in_account uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT to_timestamp(((journal_heads.moment / 1000))::double precision) AS to_timestamp FROM journal_heads WHERE (journal_heads.account_id = last_change_of.in_account));

CREATE OR REPLACE FUNCTION public.latency_within(share numeric, latencies bigint[])
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT round(((bucket.lower)::numeric + ((((bucket.upper - bucket.lower))::numeric * ((latency_within.share * bucket.total) - bucket.faster)) / (bucket.attempts)::numeric))) AS round FROM (SELECT bucket_1.attempts, bucket_1.place, sum(bucket_1.attempts) OVER () AS total, (sum(bucket_1.attempts) OVER (ORDER BY bucket_1.place) - (bucket_1.attempts)::numeric) AS faster, COALESCE(lag(bucket_1.bound) OVER (ORDER BY bucket_1.place), 0) AS lower, COALESCE(bucket_1.bound, lag(bucket_1.bound) OVER (ORDER BY bucket_1.place)) AS upper FROM UNNEST(latency_within.latencies, ARRAY[5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) WITH ORDINALITY bucket_1(attempts, bound, place)) bucket WHERE ((bucket.attempts > 0) AND ((bucket.faster + (bucket.attempts)::numeric) >= (latency_within.share * bucket.total))) ORDER BY bucket.place LIMIT 1);

CREATE OR REPLACE FUNCTION public.lessons_left(enrollment course_enrollments)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT (count(DISTINCT session.lesson_id))::integer AS count FROM ((course_sessions session JOIN course_lessons lesson ON (((lesson.account_id = session.account_id) AND (lesson.id = session.lesson_id) AND lesson.is_active))) JOIN courses course ON (((course.account_id = session.account_id) AND (course.id = session.course_id)))) WHERE ((session.account_id = (lessons_left.enrollment).account_id) AND (session.class_id = (lessons_left.enrollment).class_id) AND (session.status = 'planned'::text) AND (NOT (EXISTS (SELECT FROM course_attendances attendance WHERE ((attendance.account_id = (lessons_left.enrollment).account_id) AND (attendance.enrollment_id = (lessons_left.enrollment).id) AND (attendance.lesson_id = session.lesson_id) AND attends_lesson(attendance.status, course.excused_counts)))))));

CREATE OR REPLACE FUNCTION public.lock_of_moves(in_account uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended((in_account)::text, (0)::bigint);

CREATE OR REPLACE FUNCTION public.member_days(membership cell_memberships)
 RETURNS daterange
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (is_member_role((membership).cell_role) AND (((membership).status = 'active'::text) OR ((membership).left_on IS NOT NULL))) THEN daterange((membership).joined_on, (membership).left_on) ELSE NULL::daterange END;

CREATE OR REPLACE FUNCTION public.member_of(membership cell_memberships)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((membership).person_id, (membership).id);

CREATE OR REPLACE FUNCTION public.name_words(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT COALESCE(array_agg(DISTINCT (word.word COLLATE "C")) FILTER (WHERE (word.word <> ALL (ARRAY['d'::text, 'da'::text, 'das'::text, 'de'::text, 'del'::text, 'della'::text, 'den'::text, 'der'::text, 'di'::text, 'do'::text, 'dos'::text, 'du'::text, 'e'::text, 'el'::text, 'la'::text, 'las'::text, 'los'::text, 'ter'::text, 'van'::text, 'von'::text, 'y'::text, 'zu'::text, 'zur'::text]))), array_agg(DISTINCT (word.word COLLATE "C")), '{}'::text[]) AS "coalesce" FROM regexp_split_to_table(fold(name_words.name), '[\s''’.-]+'::text) word(word) WHERE (word.word <> ''::text));

CREATE OR REPLACE FUNCTION public.pass_moves(in_account uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(lock_of_moves(in_account));
  if not exists (select from account_moves where account_id = in_account and state <> 'ended') then
    return;
  end if;
  update account_moves set state = 'ended'
    where account_id = in_account and state = 'held' and held_until <= clock_timestamp();
  if exists (select from account_moves where account_id = in_account and state <> 'ended') then
    raise exception 'The account % moves to another server.', in_account using errcode = '55V01';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.person_changes(in_account uuid, of_person uuid, given jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT jsonb_object_agg(change.member, jsonb_build_object('from', change.present, 'to', change.value)) AS jsonb_object_agg FROM (people person CROSS JOIN LATERAL (SELECT jsonb_each.key AS member, jsonb_each.value, CASE jsonb_each.key WHEN 'full-name'::text THEN to_jsonb(person.full_name) WHEN 'first-name'::text THEN to_jsonb(COALESCE(person.first_name, "substring"(person.full_name, '\S+'::text))) WHEN 'last-name'::text THEN to_jsonb(COALESCE(person.last_name, "substring"(person.full_name, '\S.*\s(\S+)\s*$'::text))) WHEN 'preferred-name'::text THEN to_jsonb(person.preferred_name) WHEN 'sex'::text THEN to_jsonb(person.sex) WHEN 'birthdate'::text THEN to_jsonb(person.birthdate) WHEN 'email'::text THEN to_jsonb(person.email) WHEN 'phone'::text THEN ((person.phones -> 0) -> 'number'::text) WHEN 'address'::text THEN person.address WHEN 'marital-status'::text THEN to_jsonb(person.marital_status) WHEN 'occupation'::text THEN to_jsonb(person.occupation) WHEN 'previous-church'::text THEN to_jsonb(person.previous_church) ELSE (person.custom_properties -> "substring"(jsonb_each.key, '^custom-properties\.(.*)$'::text)) END AS present FROM jsonb_each(person_changes.given) jsonb_each(key, value)) change) WHERE ((person.account_id = person_changes.in_account) AND (person.id = person_changes.of_person) AND (change.value IS DISTINCT FROM COALESCE(change.present, 'null'::jsonb)) AND CASE change.member WHEN 'phone'::text THEN (NOT (EXISTS (SELECT FROM jsonb_array_elements(person.phones) known(value) WHERE ((known.value -> 'number'::text) = change.value)))) WHEN 'email'::text THEN (NOT (lower((change.value #>> '{}'::text[])) IN (SELECT lower(all_of.mail) AS lower FROM (SELECT COALESCE(person.email, ''::text) AS "coalesce" UNION ALL SELECT jsonb_array_elements_text(person.other_emails) AS jsonb_array_elements_text) all_of(mail)))) ELSE ((change.member !~~ 'custom-properties.%'::text) OR is_open_custom_field(person_changes.in_account, 'people'::text, "substring"(change.member, '^custom-properties\.(.*)$'::text))) END));

CREATE OR REPLACE FUNCTION public.person_search_text(full_name text, preferred_name text, email text, other_emails jsonb, phones jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN fold(concat_ws(' '::text, full_name, preferred_name, email, (SELECT string_agg(value.value, ' '::text) AS string_agg FROM jsonb_array_elements_text(person_search_text.other_emails) value(value)), (SELECT string_agg(digits((phone.value ->> 'number'::text)), ' '::text) AS string_agg FROM jsonb_array_elements(person_search_text.phones) phone(value))));

CREATE OR REPLACE FUNCTION public.public_degrees(degrees numeric, is_exact boolean)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN is_exact THEN degrees ELSE round(degrees, 2) END)::double precision;

CREATE OR REPLACE FUNCTION public.refuse_anonymized(in_account uuid, people uuid[])
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if exists (select from people person where person.account_id = in_account and person.id = any(people) and person.is_anonymized) then
    raise foreign_key_violation using message = 'An anonymized person was named.',
      constraint = 'person_anonymizations_person_fkey';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.report_status(in_account uuid, status text, on_date date, ends_at integer, submitted_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  ended timestamptz;
  due_after interval;
begin
  if status = 'cancelled' then return null; end if;
  select (on_date + coalesce(ends_at, 1440) * interval '1 minute') at time zone time_zone,
    report_due_hours * interval '1 hour'
  into ended, due_after from account_facts where account_id = in_account;
  return case
    when submitted_at > ended + due_after then 'late'
    when submitted_at is not null then 'submitted'
    when now() < ended then 'not-due'
    when now() < ended + due_after then 'due'
    else 'overdue'
  end;
end $function$;

CREATE OR REPLACE FUNCTION public.roles_of(in_account uuid, of_person uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if not exists (select from role_assignments where account_id = in_account and person_id = of_person)
    and not exists (select from active_cell_memberships where account_id = in_account and person_id = of_person and is_leading)
    and not exists (select from taught_classes where account_id = in_account and person_id = of_person)
  then return '[]'; end if;
  return array_to_json(array(
    select json_build_object('role', held.name, 'scope-type', held.scope_type, 'ids', held.scope_ids, 'is-derived', held.is_derived)
    from held_roles held where held.account_id = in_account and held.person_id = of_person
    order by held.is_derived, held.position, held.name));
end $function$;

CREATE OR REPLACE FUNCTION public.takes_seat(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (status = ANY (ARRAY['active'::text, 'completed'::text, 'failed'::text]));

CREATE OR REPLACE FUNCTION public.time_zone_of(in_account uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT account_facts.time_zone FROM account_facts WHERE (account_facts.account_id = time_zone_of.in_account)), 'UTC'::text);

CREATE OR REPLACE FUNCTION public.today_in(in_account uuid)
 RETURNS date
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((now() AT TIME ZONE time_zone_of(in_account)))::date;

CREATE OR REPLACE FUNCTION public.was_member(in_account uuid, in_cell uuid, of_person uuid, day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (EXISTS (SELECT FROM cell_memberships membership WHERE ((membership.account_id = was_member.in_account) AND (membership.cell_id = was_member.in_cell) AND (membership.person_id = was_member.of_person) AND was_membership(membership.*, was_member.day))));

CREATE OR REPLACE FUNCTION public.was_membership(membership cell_memberships, day date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (member_days(membership) @> day);

CREATE OR REPLACE FUNCTION public.was_present(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (status = ANY (ARRAY['present'::text, 'online'::text]));

CREATE OR REPLACE FUNCTION public.webhook_metrics(account_id uuid, endpoint_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN (SELECT jsonb_object_agg(span.name, jsonb_build_object('attempts', measured.attempts, 'retries', measured.retries, 'succeeded', measured.succeeded, 'failed', measured.failed, 'success-rate', trim_scale(round(((measured.succeeded)::numeric / (NULLIF((measured.succeeded + measured.failed), 0))::numeric), 4)), 'attempt-success-rate', trim_scale(round(((measured.succeeded)::numeric / (NULLIF(measured.attempts, 0))::numeric), 4)), 'latency-ms', jsonb_build_object('average', round((measured.latency_ms_sum / (NULLIF(measured.attempts, 0))::numeric)), 'p50', latency_within(0.5, measured.latencies), 'p95', latency_within(0.95, measured.latencies), 'p99', latency_within(0.99, measured.latencies)))) AS jsonb_object_agg FROM ((VALUES ('24h'::text,24), ('7d'::text,168)) span(name, hours) CROSS JOIN LATERAL (SELECT COALESCE(sum(webhook_hours.attempts), (0)::bigint) AS attempts, COALESCE(sum(webhook_hours.retries), (0)::bigint) AS retries, COALESCE(sum(webhook_hours.succeeded), (0)::bigint) AS succeeded, COALESCE(sum(webhook_hours.failed), (0)::bigint) AS failed, sum(webhook_hours.latency_ms_sum) AS latency_ms_sum, ARRAY[sum(webhook_hours.latencies[1]), sum(webhook_hours.latencies[2]), sum(webhook_hours.latencies[3]), sum(webhook_hours.latencies[4]), sum(webhook_hours.latencies[5]), sum(webhook_hours.latencies[6]), sum(webhook_hours.latencies[7]), sum(webhook_hours.latencies[8]), sum(webhook_hours.latencies[9]), sum(webhook_hours.latencies[10]), sum(webhook_hours.latencies[11]), sum(webhook_hours.latencies[12])] AS latencies FROM webhook_hours WHERE ((webhook_hours.account_id = webhook_metrics.account_id) AND (webhook_hours.endpoint_id = webhook_metrics.endpoint_id) AND (webhook_hours.hour > (date_trunc('hour'::text, now(), 'UTC'::text) - ((span.hours)::double precision * '01:00:00'::interval))))) measured));

CREATE OR REPLACE FUNCTION public.week_of(day date, first_weekday integer)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (day - (((((day - '2000-01-02'::date) - first_weekday) % 7) + 7) % 7));

create table access_tokens (
  account_id uuid not null,
  token_hash bytea not null,
  id uuid not null,
  person_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  kind text default 'bearer'::text not null,
  is_remembered boolean default false not null,
  last_used_at timestamp(3) with time zone default now() not null,
  device text,
  constraint access_tokens_pkey PRIMARY KEY (account_id, token_hash),
  constraint access_tokens_kind_check CHECK ((kind = ANY (ARRAY['bearer'::text, 'browser'::text]))),
  constraint access_tokens_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX access_tokens_by_expiry ON public.access_tokens USING btree (expires_at);
CREATE INDEX access_tokens_by_person ON public.access_tokens USING btree (account_id, person_id);

create table account_homes (
  account_id uuid not null,
  alias text not null,
  server integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint account_homes_pkey PRIMARY KEY (account_id),
  constraint account_homes_alias_key UNIQUE (alias),
  constraint account_homes_server_check CHECK ((server >= 1))
);

create table account_integrations (
  account_id uuid not null,
  integration_id uuid not null,
  allowed_at timestamp(3) with time zone default now() not null,
  constraint account_integrations_pkey PRIMARY KEY (account_id, integration_id),
  constraint account_integrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_integrations_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE
);

create table account_moves (
  account_id uuid not null,
  server integer not null,
  started_at timestamp(3) with time zone default now() not null,
  state text default 'placing'::text not null,
  held_until timestamp(3) with time zone,
  holder uuid,
  constraint account_moves_pkey PRIMARY KEY (account_id),
  constraint account_moves_lease CHECK (((state <> 'held'::text) OR ((held_until IS NOT NULL) AND (holder IS NOT NULL)))),
  constraint account_moves_server_check CHECK ((server >= 1)),
  constraint account_moves_state_check CHECK ((state = ANY (ARRAY['held'::text, 'placing'::text, 'discarding'::text, 'ended'::text])))
);

create table accounts (
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  alias text not null,
  church_name text not null,
  status text default 'active'::text not null,
  integration_approved boolean default false not null,
  settings jsonb default '{}'::jsonb not null,
  custom_properties jsonb default '{}'::jsonb not null,
  acronym text,
  email text,
  phone text,
  website text,
  address jsonb,
  logo_url text,
  legal_acceptances jsonb default '[]'::jsonb not null,
  features jsonb default '{}'::jsonb not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_alias_key UNIQUE (alias),
  constraint accounts_alias_form CHECK ((alias ~ '^[a-z0-9](-?[a-z0-9]){2,39}$'::text)),
  constraint accounts_status_known CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE INDEX accounts_public_origins ON public.accounts USING gin (((settings -> 'public-origins'::text))) WHERE (status = 'active'::text);

create table cell_ancestors (
  account_id uuid not null,
  cell_id uuid not null,
  ancestor_id uuid not null,
  distance integer not null,
  constraint cell_ancestors_pkey PRIMARY KEY (account_id, cell_id, ancestor_id),
  constraint cell_ancestors_ancestor_fkey FOREIGN KEY (account_id, ancestor_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_ancestors_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_ancestors_by_ancestor ON public.cell_ancestors USING btree (account_id, ancestor_id, cell_id) INCLUDE (distance);

create table cell_attendances (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  meeting_id uuid not null,
  cell_id uuid not null,
  person_id uuid,
  date date not null,
  status text not null,
  is_visitor boolean default false not null,
  first_time boolean default false not null,
  note text,
  membership_id uuid,
  constraint cell_attendances_pkey PRIMARY KEY (account_id, id),
  constraint cell_attendances_person_key UNIQUE (account_id, meeting_id, person_id),
  constraint cell_attendances_status_known CHECK ((status = ANY (ARRAY['present'::text, 'absent'::text, 'excused'::text, 'online'::text]))),
  constraint cell_attendances_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_attendances_meeting_fkey FOREIGN KEY (account_id, meeting_id) REFERENCES cell_meetings(account_id, id) ON DELETE CASCADE,
  constraint cell_attendances_membership_fkey FOREIGN KEY (account_id, membership_id) REFERENCES cell_memberships(account_id, id) ON DELETE SET NULL (membership_id),
  constraint cell_attendances_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE SET NULL (person_id)
);
CREATE INDEX cell_attendances_by_cell ON public.cell_attendances USING btree (account_id, cell_id, date) INCLUDE (person_id, status);
CREATE INDEX cell_attendances_by_date ON public.cell_attendances USING btree (account_id, date, id) INCLUDE (cell_id, person_id);
CREATE INDEX cell_attendances_by_membership ON public.cell_attendances USING btree (account_id, membership_id) WHERE (membership_id IS NOT NULL);
CREATE INDEX cell_attendances_by_person ON public.cell_attendances USING btree (account_id, person_id, date) INCLUDE (status);

create table cell_closings (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  moved_to_id uuid,
  closing_reason text,
  constraint cell_closings_pkey PRIMARY KEY (account_id, id),
  constraint cell_closings_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_closings_moved_to_fkey FOREIGN KEY (account_id, moved_to_id) REFERENCES cells(account_id, id) ON DELETE SET NULL (moved_to_id)
);
CREATE INDEX cell_closings_by_cell ON public.cell_closings USING btree (account_id, cell_id);
CREATE INDEX cell_closings_by_moved_to ON public.cell_closings USING btree (account_id, moved_to_id);

create table cell_join_requests (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  person_id uuid,
  contact jsonb,
  message text,
  status text default 'pending'::text not null,
  source text default 'staff'::text not null,
  is_confirmed boolean default false not null,
  decline_reason text,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  constraint cell_join_requests_pkey PRIMARY KEY (account_id, id),
  constraint cell_join_requests_names_someone CHECK (((status <> 'pending'::text) OR ((person_id IS NULL) <> (contact IS NULL)))),
  constraint cell_join_requests_source_known CHECK ((source = ANY (ARRAY['staff'::text, 'self'::text, 'public'::text]))),
  constraint cell_join_requests_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text, 'cancelled'::text]))),
  constraint cell_join_requests_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_join_requests_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_join_requests_by_cell ON public.cell_join_requests USING btree (account_id, cell_id);
CREATE INDEX cell_join_requests_by_decision ON public.cell_join_requests USING btree (decided_at) WHERE (contact IS NOT NULL);
CREATE INDEX cell_join_requests_by_person ON public.cell_join_requests USING btree (account_id, person_id);
CREATE UNIQUE INDEX cell_join_requests_pending_key ON public.cell_join_requests USING btree (account_id, cell_id, person_id) WHERE (status = 'pending'::text);

create table cell_meetings (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  date date not null,
  starts_at integer,
  ends_at integer,
  is_online boolean default false not null,
  status text default 'scheduled'::text not null,
  not_held_reason text,
  theme text,
  summary text,
  visitors_count integer,
  children_count integer,
  decisions_count integer,
  offering_amount bigint,
  offering_currency text,
  members_count integer,
  submitted_at timestamp(3) with time zone,
  submitted_by uuid,
  is_automatic boolean default false not null,
  constraint cell_meetings_pkey PRIMARY KEY (account_id, id),
  constraint cell_meetings_date_key UNIQUE (account_id, cell_id, date),
  constraint cell_meetings_offering_has_currency CHECK (((offering_amount IS NULL) = (offering_currency IS NULL))),
  constraint cell_meetings_reported CHECK (((status = ANY (ARRAY['held'::text, 'not-held'::text])) = (submitted_at IS NOT NULL))),
  constraint cell_meetings_status_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'held'::text, 'not-held'::text, 'cancelled'::text]))),
  constraint cell_meetings_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_meetings_by_date ON public.cell_meetings USING btree (account_id, date, id);
CREATE INDEX cell_meetings_unreported ON public.cell_meetings USING btree (account_id, cell_id, date) WHERE (status = 'scheduled'::text);

create table cell_memberships (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  person_id uuid,
  cell_role text not null,
  status text default 'active'::text not null,
  joined_on date default CURRENT_DATE not null,
  left_on date,
  left_reason text,
  constraint cell_memberships_pkey PRIMARY KEY (account_id, id),
  constraint cell_memberships_active_has_not_left CHECK (((status = 'left'::text) OR ((left_on IS NULL) AND (left_reason IS NULL)))),
  constraint cell_memberships_cell_role_known CHECK ((cell_role = ANY (ARRAY['leader'::text, 'co-leader'::text, 'trainee'::text, 'host'::text, 'secretary'::text, 'participant'::text, 'visitor'::text]))),
  constraint cell_memberships_left_after_joining CHECK ((left_on >= joined_on)),
  constraint cell_memberships_status_known CHECK ((status = ANY (ARRAY['active'::text, 'left'::text]))),
  constraint cell_memberships_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_memberships_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE SET NULL (person_id)
);
CREATE UNIQUE INDEX cell_memberships_active_key ON public.cell_memberships USING btree (account_id, person_id, cell_id) WHERE (status = 'active'::text);
CREATE INDEX cell_memberships_by_cell ON public.cell_memberships USING btree (account_id, cell_id);
CREATE INDEX cell_memberships_by_person ON public.cell_memberships USING btree (account_id, person_id);
CREATE INDEX cell_memberships_left ON public.cell_memberships USING btree (account_id, left_on, cell_id) INCLUDE (person_id) WHERE (status = 'left'::text);

create table cell_multiplication_leaders (
  account_id uuid not null,
  multiplication_id uuid not null,
  person_id uuid not null,
  constraint cell_multiplication_leaders_pkey PRIMARY KEY (account_id, multiplication_id, person_id),
  constraint cell_multiplication_leaders_multiplication_fkey FOREIGN KEY (account_id, multiplication_id) REFERENCES cell_multiplications(account_id, id) ON DELETE CASCADE,
  constraint cell_multiplication_leaders_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_multiplication_leaders_by_person ON public.cell_multiplication_leaders USING btree (account_id, person_id);

create table cell_multiplication_members (
  account_id uuid not null,
  multiplication_id uuid not null,
  person_id uuid not null,
  constraint cell_multiplication_members_pkey PRIMARY KEY (account_id, multiplication_id, person_id),
  constraint cell_multiplication_members_multiplication_fkey FOREIGN KEY (account_id, multiplication_id) REFERENCES cell_multiplications(account_id, id) ON DELETE CASCADE,
  constraint cell_multiplication_members_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_multiplication_members_by_person ON public.cell_multiplication_members USING btree (account_id, person_id);

create table cell_multiplications (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  parent_cell_id uuid not null,
  resulting_cell_id uuid,
  new_cell jsonb not null,
  note text,
  status text default 'proposed'::text not null,
  decline_reason text,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  constraint cell_multiplications_pkey PRIMARY KEY (account_id, id),
  constraint cell_multiplications_status_known CHECK ((status = ANY (ARRAY['proposed'::text, 'rejected'::text, 'done'::text]))),
  constraint cell_multiplications_parent_cell_fkey FOREIGN KEY (account_id, parent_cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_multiplications_resulting_cell_fkey FOREIGN KEY (account_id, resulting_cell_id) REFERENCES cells(account_id, id) ON DELETE SET NULL (resulting_cell_id)
);
CREATE INDEX cell_multiplications_by_parent_cell ON public.cell_multiplications USING btree (account_id, parent_cell_id);
CREATE INDEX cell_multiplications_by_resulting_cell ON public.cell_multiplications USING btree (account_id, resulting_cell_id);

create table cell_reopenings (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  cell_id uuid not null,
  constraint cell_reopenings_pkey PRIMARY KEY (account_id, id),
  constraint cell_reopenings_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_reopenings_by_cell ON public.cell_reopenings USING btree (account_id, cell_id);

create table cell_tags (
  account_id uuid not null,
  cell_id uuid not null,
  tag_id uuid not null,
  constraint cell_tags_pkey PRIMARY KEY (account_id, cell_id, tag_id),
  constraint cell_tags_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_tags_tag_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_tags_by_tag ON public.cell_tags USING btree (account_id, tag_id);

create table cell_transfer_memberships (
  account_id uuid not null,
  transfer_id uuid not null,
  membership_id uuid not null,
  constraint cell_transfer_memberships_pkey PRIMARY KEY (account_id, transfer_id, membership_id),
  constraint cell_transfer_memberships_membership_fkey FOREIGN KEY (account_id, membership_id) REFERENCES cell_memberships(account_id, id) ON DELETE CASCADE,
  constraint cell_transfer_memberships_transfer_fkey FOREIGN KEY (account_id, transfer_id) REFERENCES cell_transfers(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_transfer_memberships_by_membership ON public.cell_transfer_memberships USING btree (account_id, membership_id);

create table cell_transfers (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  from_cell_id uuid not null,
  to_cell_id uuid not null,
  transferred_on date default CURRENT_DATE not null,
  constraint cell_transfers_pkey PRIMARY KEY (account_id, id),
  constraint cell_transfers_from_cell_fkey FOREIGN KEY (account_id, from_cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint cell_transfers_to_cell_fkey FOREIGN KEY (account_id, to_cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE
);
CREATE INDEX cell_transfers_by_from_cell ON public.cell_transfers USING btree (account_id, from_cell_id);
CREATE INDEX cell_transfers_by_to_cell ON public.cell_transfers USING btree (account_id, to_cell_id);

create table cell_trees (
  account_id uuid not null,
  constraint cell_trees_pkey PRIMARY KEY (account_id),
  constraint cell_trees_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table cells (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  parent_id uuid,
  multiplied_from_id uuid,
  name text not null,
  cell_type text default 'cell'::text not null,
  level integer default 0 not null,
  description text,
  category text,
  gender_category text default 'mixed'::text not null,
  age_min integer,
  age_max integer,
  weekday integer,
  starts_at integer,
  ends_at integer,
  frequency text default 'weekly'::text not null,
  is_online boolean default false not null,
  online_url text,
  address jsonb,
  is_public boolean default false not null,
  public_settings jsonb default '{"show-address": false, "show-leader-email": false, "show-leader-phone": false, "accept-join-requests": true}'::jsonb not null,
  join_policy text default 'request'::text not null,
  capacity integer,
  ideal_size integer,
  multiplication_goal_date date,
  recess_from date,
  recess_to date,
  opened_at timestamp(3) with time zone default now() not null,
  closed_at timestamp(3) with time zone,
  closing_reason text,
  custom_properties jsonb default '{}'::jsonb not null,
  name_folded text generated always as (fold(name)) stored not null,
  search_words text generated always as (cell_search_text(name, category, address)) stored not null,
  constraint cells_pkey PRIMARY KEY (account_id, id),
  constraint cells_ages_in_order CHECK ((age_min <= age_max)),
  constraint cells_cell_type_known CHECK ((cell_type = ANY (ARRAY['cell'::text, 'supervision'::text]))),
  constraint cells_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint cells_ends_after_start CHECK ((starts_at < ends_at)),
  constraint cells_level_fits_type CHECK (((cell_type = 'cell'::text) = (level = 0))),
  constraint cells_recess_ends_after_start CHECK ((recess_from < recess_to)),
  constraint cells_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint cells_multiplied_from_fkey FOREIGN KEY (account_id, multiplied_from_id) REFERENCES cells(account_id, id) ON DELETE SET NULL (multiplied_from_id),
  constraint cells_parent_fkey FOREIGN KEY (account_id, parent_id) REFERENCES cells(account_id, id)
);
CREATE INDEX cells_by_multiplied_from ON public.cells USING btree (account_id, multiplied_from_id) WHERE (multiplied_from_id IS NOT NULL);
CREATE INDEX cells_by_name ON public.cells USING btree (account_id, name_folded, id);
CREATE INDEX cells_by_parent ON public.cells USING btree (account_id, parent_id);

create table counters (
  key bytea not null,
  requests integer not null,
  ends_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  constraint counters_pkey PRIMARY KEY (key)
);
CREATE INDEX counters_by_end ON public.counters USING btree (ends_at);

create table course_attendance_sheets (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  session_id uuid not null,
  recorded_count integer not null,
  changed_count integer not null,
  constraint course_attendance_sheets_pkey PRIMARY KEY (account_id, id),
  constraint course_attendance_sheets_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_attendance_sheets_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_attendance_sheets_session_fkey FOREIGN KEY (account_id, session_id) REFERENCES course_sessions(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_attendance_sheets_by_class ON public.course_attendance_sheets USING btree (account_id, class_id);
CREATE INDEX course_attendance_sheets_by_course ON public.course_attendance_sheets USING btree (account_id, course_id);
CREATE INDEX course_attendance_sheets_by_session ON public.course_attendance_sheets USING btree (account_id, session_id);

create table course_attendances (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  session_id uuid not null,
  lesson_id uuid,
  enrollment_id uuid not null,
  person_id uuid,
  date date not null,
  status text not null,
  note text,
  minutes integer,
  recorded_at timestamp(3) with time zone default now() not null,
  recorded_by uuid,
  constraint course_attendances_pkey PRIMARY KEY (account_id, id),
  constraint course_attendances_enrollment_key UNIQUE (account_id, session_id, enrollment_id),
  constraint course_attendances_status_known CHECK ((status = ANY (ARRAY['present'::text, 'late'::text, 'excused'::text, 'absent'::text, 'online'::text, 'not-applicable'::text]))),
  constraint course_attendances_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_attendances_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_attendances_lesson_fkey FOREIGN KEY (account_id, lesson_id) REFERENCES course_lessons(account_id, id) ON DELETE SET NULL (lesson_id),
  constraint course_attendances_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE SET NULL (person_id),
  constraint course_attendances_session_fkey FOREIGN KEY (account_id, session_id) REFERENCES course_sessions(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_attendances_by_class ON public.course_attendances USING btree (account_id, class_id, date, id);
CREATE INDEX course_attendances_by_course ON public.course_attendances USING btree (account_id, course_id, date, id);
CREATE INDEX course_attendances_by_enrollment ON public.course_attendances USING btree (account_id, enrollment_id);
CREATE INDEX course_attendances_by_lesson ON public.course_attendances USING btree (account_id, lesson_id, date) WHERE (lesson_id IS NOT NULL);
CREATE INDEX course_attendances_by_person ON public.course_attendances USING btree (account_id, person_id, date);

create table course_class_teachers (
  account_id uuid not null,
  class_id uuid not null,
  person_id uuid not null,
  constraint course_class_teachers_pkey PRIMARY KEY (account_id, class_id, person_id),
  constraint course_class_teachers_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_class_teachers_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_class_teachers_by_person ON public.course_class_teachers USING btree (account_id, person_id);

create table course_classes (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  name text not null,
  status text default 'draft'::text not null,
  seats integer,
  waitlist_enabled boolean default true not null,
  starts timestamp(3) with time zone,
  ends timestamp(3) with time zone,
  schedule jsonb default '[]'::jsonb not null,
  enrollment_opens_at timestamp(3) with time zone,
  enrollment_closes_at timestamp(3) with time zone,
  mode text default 'in-person'::text not null,
  location text,
  online_url text,
  time_zone text default 'UTC'::text not null,
  is_public boolean default false not null,
  show_teachers boolean default false not null,
  custom_properties jsonb default '{}'::jsonb not null,
  name_folded text generated always as (fold(name)) stored not null,
  constraint course_classes_pkey PRIMARY KEY (account_id, id),
  constraint course_classes_closes_after_opening CHECK ((enrollment_opens_at < enrollment_closes_at)),
  constraint course_classes_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint course_classes_ends_after_start CHECK ((starts < ends)),
  constraint course_classes_mode_known CHECK ((mode = ANY (ARRAY['in-person'::text, 'online'::text, 'hybrid'::text]))),
  constraint course_classes_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'in-progress'::text, 'finished'::text, 'cancelled'::text]))),
  constraint course_classes_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_classes_by_course ON public.course_classes USING btree (account_id, course_id);
CREATE INDEX course_classes_by_start ON public.course_classes USING btree (account_id, starts, id);

create table course_enrollment_requests (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  class_id uuid not null,
  course_id uuid not null,
  person_id uuid,
  contact jsonb,
  message text,
  status text default 'pending'::text not null,
  source text default 'public'::text not null,
  is_confirmed boolean default false not null,
  decline_reason text,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  constraint course_enrollment_requests_pkey PRIMARY KEY (account_id, id),
  constraint course_enrollment_requests_names_someone CHECK (((status <> 'pending'::text) OR (person_id IS NOT NULL) OR (contact IS NOT NULL))),
  constraint course_enrollment_requests_source_known CHECK ((source = 'public'::text)),
  constraint course_enrollment_requests_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text, 'cancelled'::text]))),
  constraint course_enrollment_requests_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_enrollment_requests_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_enrollment_requests_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_enrollment_requests_by_class ON public.course_enrollment_requests USING btree (account_id, class_id);
CREATE INDEX course_enrollment_requests_by_course ON public.course_enrollment_requests USING btree (account_id, course_id);
CREATE INDEX course_enrollment_requests_by_decision ON public.course_enrollment_requests USING btree (decided_at) WHERE (contact IS NOT NULL);
CREATE INDEX course_enrollment_requests_by_person ON public.course_enrollment_requests USING btree (account_id, person_id);

create table course_enrollments (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  person_id uuid not null,
  status text default 'requested'::text not null,
  source text default 'staff'::text not null,
  enrolled_at timestamp(3) with time zone default now() not null,
  status_changed_at timestamp(3) with time zone default now() not null,
  completed_at timestamp(3) with time zone,
  withdrawn_reason text,
  payment_status text default 'not-required'::text not null,
  paid_amount bigint,
  requirements_waived boolean default false not null,
  graduation_waived boolean default false not null,
  waiver_note text,
  lessons_attended integer default 0 not null,
  lessons_required integer default 0 not null,
  progress integer default 0 not null,
  is_eligible_to_graduate boolean default false not null,
  custom_properties jsonb default '{}'::jsonb not null,
  is_accepted boolean default true not null,
  constraint course_enrollments_pkey PRIMARY KEY (account_id, id),
  constraint course_enrollments_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint course_enrollments_payment_status_known CHECK ((payment_status = ANY (ARRAY['not-required'::text, 'pending'::text, 'paid'::text, 'waived'::text, 'refunded'::text]))),
  constraint course_enrollments_source_known CHECK ((source = ANY (ARRAY['staff'::text, 'self'::text, 'public-form'::text, 'import'::text]))),
  constraint course_enrollments_status_known CHECK ((status = ANY (ARRAY['requested'::text, 'waitlisted'::text, 'active'::text, 'completed'::text, 'failed'::text, 'withdrawn'::text, 'cancelled'::text]))),
  constraint course_enrollments_waiver_has_note CHECK (((waiver_note IS NOT NULL) OR (NOT (requirements_waived OR graduation_waived)))),
  constraint course_enrollments_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_enrollments_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_enrollments_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_enrollments_by_class ON public.course_enrollments USING btree (account_id, class_id, status);
CREATE INDEX course_enrollments_by_course ON public.course_enrollments USING btree (account_id, course_id, enrolled_at, id);
CREATE INDEX course_enrollments_by_date ON public.course_enrollments USING btree (account_id, enrolled_at, id);
CREATE INDEX course_enrollments_by_person ON public.course_enrollments USING btree (account_id, person_id);
CREATE UNIQUE INDEX course_enrollments_current_key ON public.course_enrollments USING btree (account_id, class_id, person_id) WHERE (status = ANY (ARRAY['requested'::text, 'waitlisted'::text, 'active'::text, 'completed'::text]));

create table course_lessons (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  name text not null,
  number integer not null,
  description text,
  is_mandatory boolean default false not null,
  is_active boolean default true not null,
  duration_minutes integer,
  content_url text,
  name_folded text generated always as (fold(name)) stored not null,
  constraint course_lessons_pkey PRIMARY KEY (account_id, id),
  constraint course_lessons_number_key UNIQUE (account_id, course_id, number),
  constraint course_lessons_number_range CHECK (((number >= 1) AND (number <= 500))),
  constraint course_lessons_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE
);

create table course_materials (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid,
  lesson_id uuid,
  title text not null,
  description text,
  content text,
  material_type text not null,
  audience text default 'student'::text not null,
  publish_status text default 'draft'::text not null,
  published_at timestamp(3) with time zone,
  available_from integer,
  url text,
  "order" integer,
  constraint course_materials_pkey PRIMARY KEY (account_id, id),
  constraint course_materials_audience_known CHECK ((audience = ANY (ARRAY['student'::text, 'teacher'::text]))),
  constraint course_materials_material_type_known CHECK ((material_type = ANY (ARRAY['file'::text, 'link'::text, 'text'::text, 'video'::text]))),
  constraint course_materials_publish_status_known CHECK ((publish_status = ANY (ARRAY['draft'::text, 'unlisted'::text, 'public'::text]))),
  constraint course_materials_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_materials_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_materials_lesson_fkey FOREIGN KEY (account_id, lesson_id) REFERENCES course_lessons(account_id, id) ON DELETE SET NULL (lesson_id)
);
CREATE INDEX course_materials_by_class ON public.course_materials USING btree (account_id, class_id) WHERE (class_id IS NOT NULL);
CREATE INDEX course_materials_by_course ON public.course_materials USING btree (account_id, course_id);
CREATE INDEX course_materials_by_lesson ON public.course_materials USING btree (account_id, lesson_id) WHERE (lesson_id IS NOT NULL);

create table course_requirements (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  required_course_id uuid,
  kind text not null,
  enforcement text default 'block'::text not null,
  relation text default 'prerequisite'::text not null,
  value jsonb,
  constraint course_requirements_pkey PRIMARY KEY (account_id, id),
  constraint course_requirements_enforcement_known CHECK ((enforcement = ANY (ARRAY['block'::text, 'warn'::text]))),
  constraint course_requirements_kind_known CHECK ((kind = ANY (ARRAY['course'::text, 'membership-status'::text, 'baptized'::text, 'minimum-age'::text, 'cell-member'::text]))),
  constraint course_requirements_names_a_course CHECK (((kind = 'course'::text) = (required_course_id IS NOT NULL))),
  constraint course_requirements_relation_known CHECK ((relation = ANY (ARRAY['prerequisite'::text, 'corequisite'::text]))),
  constraint course_requirements_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_requirements_required_course_fkey FOREIGN KEY (account_id, required_course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_requirements_by_course ON public.course_requirements USING btree (account_id, course_id);
CREATE INDEX course_requirements_by_required_course ON public.course_requirements USING btree (account_id, required_course_id) WHERE (required_course_id IS NOT NULL);

create table course_session_plans (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  created_count integer not null,
  constraint course_session_plans_pkey PRIMARY KEY (account_id, id),
  constraint course_session_plans_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_session_plans_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_session_plans_by_class ON public.course_session_plans USING btree (account_id, class_id);
CREATE INDEX course_session_plans_by_course ON public.course_session_plans USING btree (account_id, course_id);

create table course_sessions (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  lesson_id uuid,
  teacher_id uuid,
  date date not null,
  starts_at integer,
  ends_at integer,
  status text default 'planned'::text not null,
  constraint course_sessions_pkey PRIMARY KEY (account_id, id),
  constraint course_sessions_ends_after_start CHECK ((starts_at < ends_at)),
  constraint course_sessions_status_known CHECK ((status = ANY (ARRAY['planned'::text, 'held'::text, 'cancelled'::text]))),
  constraint course_sessions_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_sessions_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_sessions_lesson_fkey FOREIGN KEY (account_id, lesson_id) REFERENCES course_lessons(account_id, id) ON DELETE SET NULL (lesson_id),
  constraint course_sessions_teacher_fkey FOREIGN KEY (account_id, teacher_id) REFERENCES people(account_id, id) ON DELETE SET NULL (teacher_id)
);
CREATE INDEX course_sessions_by_class ON public.course_sessions USING btree (account_id, class_id, date);
CREATE INDEX course_sessions_by_course ON public.course_sessions USING btree (account_id, course_id, date);
CREATE INDEX course_sessions_by_lesson ON public.course_sessions USING btree (account_id, lesson_id) WHERE (lesson_id IS NOT NULL);
CREATE INDEX course_sessions_by_teacher ON public.course_sessions USING btree (account_id, teacher_id) WHERE (teacher_id IS NOT NULL);

create table course_tags (
  account_id uuid not null,
  course_id uuid not null,
  tag_id uuid not null,
  constraint course_tags_pkey PRIMARY KEY (account_id, course_id, tag_id),
  constraint course_tags_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_tags_tag_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_tags_by_tag ON public.course_tags USING btree (account_id, tag_id);

create table course_task_completions (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  class_id uuid not null,
  task_id uuid not null,
  enrollment_id uuid not null,
  person_id uuid not null,
  status text default 'submitted'::text not null,
  text text,
  url text,
  file_id uuid,
  student_comment text,
  teacher_comment text,
  points_earned integer,
  was_on_time boolean,
  attempt_count integer default 1 not null,
  submitted_at timestamp(3) with time zone default now() not null,
  reviewed_at timestamp(3) with time zone,
  reviewed_by uuid,
  awaits_file boolean default false not null,
  constraint course_task_completions_pkey PRIMARY KEY (account_id, id),
  constraint course_task_completions_task_key UNIQUE (account_id, enrollment_id, task_id),
  constraint course_task_completions_status_known CHECK ((status = ANY (ARRAY['submitted'::text, 'accepted'::text, 'rejected'::text, 'returned'::text]))),
  constraint course_task_completions_class_fkey FOREIGN KEY (account_id, class_id) REFERENCES course_classes(account_id, id) ON DELETE CASCADE,
  constraint course_task_completions_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_task_completions_enrollment_fkey FOREIGN KEY (account_id, enrollment_id) REFERENCES course_enrollments(account_id, id) ON DELETE CASCADE,
  constraint course_task_completions_file_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id),
  constraint course_task_completions_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint course_task_completions_task_fkey FOREIGN KEY (account_id, task_id) REFERENCES course_tasks(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_task_completions_by_class ON public.course_task_completions USING btree (account_id, class_id, submitted_at);
CREATE INDEX course_task_completions_by_course ON public.course_task_completions USING btree (account_id, course_id, submitted_at, id);
CREATE INDEX course_task_completions_by_file ON public.course_task_completions USING btree (account_id, file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX course_task_completions_by_person ON public.course_task_completions USING btree (account_id, person_id);
CREATE INDEX course_task_completions_by_task ON public.course_task_completions USING btree (account_id, task_id);

create table course_tasks (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  course_id uuid not null,
  lesson_id uuid,
  name text not null,
  instructions text,
  is_mandatory boolean default false not null,
  assigned_to text default 'student'::text not null,
  submission_type text default 'text'::text not null,
  due jsonb default '{"criterion": "none"}'::jsonb not null,
  points integer,
  "order" integer,
  name_folded text generated always as (fold(name)) stored not null,
  constraint course_tasks_pkey PRIMARY KEY (account_id, id),
  constraint course_tasks_assigned_to_known CHECK ((assigned_to = ANY (ARRAY['student'::text, 'teacher'::text]))),
  constraint course_tasks_due_has_value CHECK ((
CASE (due ->> 'criterion'::text)
    WHEN 'none'::text THEN (NOT (due ? 'value'::text))
    WHEN 'date'::text THEN (jsonb_typeof((due -> 'value'::text)) = 'string'::text)
    ELSE (jsonb_typeof((due -> 'value'::text)) = 'number'::text)
END IS TRUE)),
  constraint course_tasks_submission_type_known CHECK ((submission_type = ANY (ARRAY['none'::text, 'text'::text, 'url'::text, 'file'::text]))),
  constraint course_tasks_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_tasks_lesson_fkey FOREIGN KEY (account_id, lesson_id) REFERENCES course_lessons(account_id, id) ON DELETE SET NULL (lesson_id)
);
CREATE INDEX course_tasks_by_course ON public.course_tasks USING btree (account_id, course_id);
CREATE INDEX course_tasks_by_lesson ON public.course_tasks USING btree (account_id, lesson_id) WHERE (lesson_id IS NOT NULL);

create table course_teachers (
  account_id uuid not null,
  course_id uuid not null,
  person_id uuid not null,
  constraint course_teachers_pkey PRIMARY KEY (account_id, course_id, person_id),
  constraint course_teachers_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint course_teachers_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX course_teachers_by_person ON public.course_teachers USING btree (account_id, person_id);

create table courses (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  name text not null,
  code text,
  summary text,
  description text,
  price bigint,
  price_currency text,
  lessons_to_graduate integer,
  is_active boolean default true not null,
  is_public boolean default false not null,
  image_id uuid,
  category text,
  "order" integer,
  position_in_path integer,
  enrollment_policy text default 'request'::text not null,
  graduation_mode text default 'automatic'::text not null,
  excused_counts boolean default false not null,
  has_certificate boolean default false not null,
  certificate_valid_months integer,
  custom_properties jsonb default '{}'::jsonb not null,
  name_folded text generated always as (fold(name)) stored not null,
  constraint courses_pkey PRIMARY KEY (account_id, id),
  constraint courses_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint courses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint courses_image_fkey FOREIGN KEY (account_id, image_id) REFERENCES files(account_id, id)
);
CREATE INDEX courses_by_image ON public.courses USING btree (account_id, image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX courses_by_name ON public.courses USING btree (account_id, name_folded, id);

create table files (
  account_id uuid not null,
  id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  name text not null,
  media_type text not null,
  bytes integer not null,
  constraint files_pkey PRIMARY KEY (account_id, id),
  constraint files_bytes_positive CHECK ((bytes > 0)),
  constraint files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table form_notified_people (
  account_id uuid not null,
  form_id uuid not null,
  person_id uuid not null,
  constraint form_notified_people_pkey PRIMARY KEY (account_id, form_id, person_id),
  constraint form_notified_people_form_fkey FOREIGN KEY (account_id, form_id) REFERENCES forms(account_id, id) ON DELETE CASCADE,
  constraint form_notified_people_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX form_notified_people_by_person ON public.form_notified_people USING btree (account_id, person_id);

create table form_submission_change_submissions (
  account_id uuid not null,
  change_id uuid not null,
  submission_id uuid not null,
  constraint form_submission_change_submissions_pkey PRIMARY KEY (account_id, change_id, submission_id),
  constraint form_submission_change_submissions_change_fkey FOREIGN KEY (account_id, change_id) REFERENCES form_submission_changes(account_id, id) ON DELETE CASCADE,
  constraint form_submission_change_submissions_submission_fkey FOREIGN KEY (account_id, submission_id) REFERENCES form_submissions(account_id, id) ON DELETE CASCADE
);
CREATE INDEX form_submission_change_submissions_by_submission ON public.form_submission_change_submissions USING btree (account_id, submission_id);

create table form_submission_changes (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  status text not null,
  results jsonb not null,
  constraint form_submission_changes_pkey PRIMARY KEY (account_id, id),
  constraint form_submission_changes_status_known CHECK ((status = ANY (ARRAY['rejected'::text, 'spam'::text, 'archived'::text])))
);

create table form_submission_suggestions (
  account_id uuid not null,
  submission_id uuid not null,
  person_id uuid not null,
  "position" integer default 0 not null,
  constraint form_submission_suggestions_pkey PRIMARY KEY (account_id, submission_id, person_id),
  constraint form_submission_suggestions_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint form_submission_suggestions_submission_fkey FOREIGN KEY (account_id, submission_id) REFERENCES form_submissions(account_id, id) ON DELETE CASCADE
);
CREATE INDEX form_submission_suggestions_by_person ON public.form_submission_suggestions USING btree (account_id, person_id);

create table form_submissions (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  form_id uuid not null,
  form_version integer not null,
  submitted_at timestamp(3) with time zone default now() not null,
  answers jsonb not null,
  status text default 'new'::text not null,
  is_announced boolean default false not null,
  source text default 'staff'::text not null,
  consent jsonb,
  consent_ip_hash bytea,
  is_confirmed boolean default false not null,
  spam_score integer default 0 not null,
  results jsonb,
  person_id uuid,
  reviewed_by uuid,
  words text default ''::text not null,
  sender_email text,
  constraint form_submissions_pkey PRIMARY KEY (account_id, id),
  constraint form_submissions_source_known CHECK ((source = ANY (ARRAY['public'::text, 'staff'::text, 'member'::text, 'import'::text]))),
  constraint form_submissions_status_known CHECK ((status = ANY (ARRAY['new'::text, 'processed'::text, 'rejected'::text, 'spam'::text, 'archived'::text]))),
  constraint form_submissions_form_fkey FOREIGN KEY (account_id, form_id) REFERENCES forms(account_id, id) ON DELETE CASCADE,
  constraint form_submissions_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE SET NULL (person_id)
);
CREATE INDEX form_submissions_by_age ON public.form_submissions USING btree (account_id, form_id, submitted_at);
CREATE INDEX form_submissions_by_form ON public.form_submissions USING btree (account_id, form_id, status);
CREATE INDEX form_submissions_by_person ON public.form_submissions USING btree (account_id, person_id);
CREATE INDEX form_submissions_by_sender ON public.form_submissions USING btree (account_id, lower(sender_email)) WHERE (sender_email IS NOT NULL);
CREATE INDEX form_submissions_by_time ON public.form_submissions USING btree (account_id, submitted_at, id);
CREATE INDEX form_submissions_with_hash ON public.form_submissions USING btree (submitted_at) WHERE (consent_ip_hash IS NOT NULL);
CREATE INDEX form_submissions_words ON public.form_submissions USING gin (account_id, words gin_trgm_ops);

create table form_versions (
  account_id uuid not null,
  id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_at timestamp(3) with time zone default now() not null,
  modified_by uuid,
  form_id uuid not null,
  number integer not null,
  fields jsonb not null,
  privacy_notice text,
  constraint form_versions_pkey PRIMARY KEY (account_id, id),
  constraint form_versions_number_key UNIQUE (account_id, form_id, number),
  constraint form_versions_form_fkey FOREIGN KEY (account_id, form_id) REFERENCES forms(account_id, id) ON DELETE CASCADE
);

create table forms (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  name text not null,
  name_folded text generated always as (fold(name)) stored not null,
  description text,
  slug text,
  status text default 'draft'::text not null,
  opens_at timestamp(3) with time zone,
  closes_at timestamp(3) with time zone,
  max_submissions integer,
  requires_login boolean default false not null,
  fields jsonb not null,
  privacy_notice text,
  version_number integer default 1 not null,
  actions jsonb default '{}'::jsonb not null,
  add_to_cell_id uuid,
  enroll_in_class_id uuid,
  confirmation_message text,
  confirmation_email boolean default false not null,
  challenge text default 'pow'::text not null,
  retention_days integer default 365 not null,
  cell_id uuid,
  course_id uuid,
  owner_id uuid,
  max_per_hour integer default 1000 not null,
  constraint forms_pkey PRIMARY KEY (account_id, id),
  constraint forms_slug_key UNIQUE (account_id, slug),
  constraint forms_challenge_known CHECK ((challenge = ANY (ARRAY['none'::text, 'pow'::text]))),
  constraint forms_closes_after_opening CHECK ((closes_at > opens_at)),
  constraint forms_one_place CHECK ((num_nonnulls(cell_id, course_id) <= 1)),
  constraint forms_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'closed'::text, 'archived'::text]))),
  constraint forms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint forms_add_to_cell_fkey FOREIGN KEY (account_id, add_to_cell_id) REFERENCES cells(account_id, id) ON DELETE SET NULL (add_to_cell_id),
  constraint forms_cell_fkey FOREIGN KEY (account_id, cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint forms_course_fkey FOREIGN KEY (account_id, course_id) REFERENCES courses(account_id, id) ON DELETE CASCADE,
  constraint forms_enroll_in_class_fkey FOREIGN KEY (account_id, enroll_in_class_id) REFERENCES course_classes(account_id, id) ON DELETE SET NULL (enroll_in_class_id),
  constraint forms_owner_fkey FOREIGN KEY (account_id, owner_id) REFERENCES people(account_id, id) ON DELETE SET NULL (owner_id)
);
CREATE INDEX forms_by_added_cell ON public.forms USING btree (account_id, add_to_cell_id);
CREATE INDEX forms_by_cell ON public.forms USING btree (account_id, cell_id);
CREATE INDEX forms_by_course ON public.forms USING btree (account_id, course_id);
CREATE INDEX forms_by_enrolled_class ON public.forms USING btree (account_id, enroll_in_class_id);
CREATE INDEX forms_by_name ON public.forms USING btree (account_id, name_folded, id);
CREATE INDEX forms_by_owner ON public.forms USING btree (account_id, owner_id);

create table household_memberships (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  household_id uuid not null,
  person_id uuid not null,
  household_role text default 'other'::text not null,
  is_primary boolean default false not null,
  may_pick_up text,
  constraint household_memberships_pkey PRIMARY KEY (account_id, id),
  constraint household_memberships_person_key UNIQUE (account_id, person_id, household_id),
  constraint household_memberships_household_role_known CHECK ((household_role = ANY (ARRAY['head'::text, 'spouse'::text, 'child'::text, 'dependent'::text, 'other'::text]))),
  constraint household_memberships_may_pick_up_known CHECK ((may_pick_up = ANY (ARRAY['yes'::text, 'no'::text, 'restricted'::text]))),
  constraint household_memberships_household_fkey FOREIGN KEY (account_id, household_id) REFERENCES households(account_id, id) ON DELETE CASCADE,
  constraint household_memberships_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX household_memberships_by_household ON public.household_memberships USING btree (account_id, household_id);
CREATE UNIQUE INDEX household_memberships_primary_key ON public.household_memberships USING btree (account_id, person_id) WHERE is_primary;

create table households (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  name text not null,
  phone text,
  address jsonb,
  primary_contact_id uuid,
  custom_properties jsonb default '{}'::jsonb not null,
  name_folded text generated always as (fold(name)) stored not null,
  city text generated always as ((address ->> 'city'::text)) stored,
  words text generated always as (fold(((((((((name || ' '::text) || COALESCE(digits(phone), ''::text)) || ' '::text) || COALESCE((address ->> 'street'::text), ''::text)) || ' '::text) || COALESCE((address ->> 'neighborhood'::text), ''::text)) || ' '::text) || COALESCE((address ->> 'city'::text), ''::text)))) stored not null,
  family_key text,
  constraint households_pkey PRIMARY KEY (account_id, id),
  constraint households_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint households_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint households_primary_contact_fkey FOREIGN KEY (account_id, primary_contact_id) REFERENCES people(account_id, id) ON DELETE SET NULL (primary_contact_id)
);
CREATE INDEX households_by_city ON public.households USING btree (account_id, fold(city));
CREATE INDEX households_by_name ON public.households USING btree (account_id, name_folded, id);
CREATE INDEX households_by_primary_contact ON public.households USING btree (account_id, primary_contact_id);
CREATE INDEX households_custom_properties ON public.households USING gin (account_id, custom_properties jsonb_path_ops) WHERE (custom_properties <> '{}'::jsonb);

create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  headers jsonb,
  body text,
  reveals jsonb,
  created_at timestamp(3) with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, route, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

create table import_file_chunks (
  account_id uuid not null,
  import_job_id uuid not null,
  "position" integer not null,
  content bytea not null,
  constraint import_file_chunks_pkey PRIMARY KEY (account_id, import_job_id, "position"),
  constraint import_file_chunks_import_job_fkey FOREIGN KEY (account_id, import_job_id) REFERENCES import_jobs(account_id, id) ON DELETE CASCADE
);

create table import_jobs (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  kind text not null,
  mapping jsonb not null,
  match_on jsonb default '[]'::jsonb not null,
  on_match text default 'skip'::text not null,
  blank_overwrites boolean default false not null,
  delimiter text default ','::text not null,
  encoding text,
  date_format text default 'YYYY-MM-DD'::text not null,
  status text default 'created'::text not null,
  failure text,
  counts jsonb default '{"kept": 0, "rows": 0, "skip": 0, "error": 0, "create": 0, "undone": 0, "update": 0, "written": 0, "by-column": {}}'::jsonb not null,
  batch_id uuid,
  run_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  value_mapping jsonb default '{}'::jsonb not null,
  blank_values jsonb default '["-", "n/a", "não tem", "00/00/0000"]'::jsonb not null,
  country text,
  default_area_code text,
  household_key text,
  headers jsonb,
  file_encoding text,
  constraint import_jobs_pkey PRIMARY KEY (account_id, id),
  constraint import_jobs_on_match_known CHECK ((on_match = ANY (ARRAY['skip'::text, 'update'::text]))),
  constraint import_jobs_status_known CHECK ((status = ANY (ARRAY['created'::text, 'validating'::text, 'ready'::text, 'running'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'failed'::text]))),
  constraint import_jobs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table import_rows (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  row_number integer not null,
  action text not null,
  outcome text,
  errors jsonb default '[]'::jsonb not null,
  person_id uuid,
  given jsonb,
  before jsonb,
  written_version integer,
  made jsonb,
  warnings jsonb default '[]'::jsonb not null,
  cells jsonb,
  constraint import_rows_pkey PRIMARY KEY (account_id, id),
  constraint import_rows_row_number_key UNIQUE (account_id, import_job_id, row_number),
  constraint import_rows_outcome_known CHECK ((outcome = ANY (ARRAY['written'::text, 'undone'::text, 'kept'::text]))),
  constraint import_rows_import_job_fkey FOREIGN KEY (account_id, import_job_id) REFERENCES import_jobs(account_id, id) ON DELETE CASCADE,
  constraint import_rows_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX import_rows_by_person ON public.import_rows USING btree (account_id, person_id) WHERE (person_id IS NOT NULL);

create table import_runs (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  constraint import_runs_pkey PRIMARY KEY (account_id, id),
  constraint import_runs_import_job_fkey FOREIGN KEY (account_id, import_job_id) REFERENCES import_jobs(account_id, id) ON DELETE CASCADE
);
CREATE INDEX import_runs_by_import_job ON public.import_runs USING btree (account_id, import_job_id);

create table import_undos (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  import_job_id uuid not null,
  constraint import_undos_pkey PRIMARY KEY (account_id, id),
  constraint import_undos_import_job_fkey FOREIGN KEY (account_id, import_job_id) REFERENCES import_jobs(account_id, id) ON DELETE CASCADE
);
CREATE INDEX import_undos_by_import_job ON public.import_undos USING btree (account_id, import_job_id);

create table integrations (
  id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  name text not null,
  token_hash bytea not null,
  rotated_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint integrations_pkey PRIMARY KEY (id),
  constraint integrations_name_key UNIQUE (name),
  constraint integrations_token_hash_key UNIQUE (token_hash)
);

create table journal (
  account_id uuid not null,
  id uuid not null,
  occurred_at timestamp(3) with time zone not null,
  action text,
  entry text,
  resource_type text not null,
  resource_id uuid not null,
  subject_id uuid,
  places uuid[],
  merged_into uuid,
  changes jsonb default '{}'::jsonb not null,
  omitted text[],
  actor_id uuid,
  cause text not null,
  request_id uuid,
  integration_id uuid,
  batch_id uuid,
  ip inet,
  constraint journal_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);
CREATE INDEX journal_by_resource ON ONLY public.journal USING btree (account_id, resource_id, id);
CREATE INDEX journal_by_subject ON ONLY public.journal USING btree (account_id, subject_id, id) WHERE (subject_id <> resource_id);

create table journal_heads (
  account_id uuid not null,
  moment bigint not null,
  constraint journal_heads_pkey PRIMARY KEY (account_id),
  constraint journal_heads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table login_letters (
  account_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  former_email text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint login_letters_pkey PRIMARY KEY (account_id, id),
  constraint login_letters_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX login_letters_by_age ON public.login_letters USING btree (created_at);
CREATE INDEX login_letters_by_person ON public.login_letters USING btree (account_id, person_id);

create table logins (
  email text not null,
  account_id uuid not null,
  person_id uuid not null,
  constraint logins_pkey PRIMARY KEY (email, account_id)
);
CREATE INDEX logins_by_person ON public.logins USING btree (account_id, person_id);

create table material_attachments (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  material_id uuid not null,
  file_id uuid not null,
  constraint material_attachments_pkey PRIMARY KEY (account_id, id),
  constraint material_attachments_file_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id),
  constraint material_attachments_material_fkey FOREIGN KEY (account_id, material_id) REFERENCES course_materials(account_id, id) ON DELETE CASCADE
);
CREATE INDEX material_attachments_by_file ON public.material_attachments USING btree (account_id, file_id);
CREATE INDEX material_attachments_by_material ON public.material_attachments USING btree (account_id, material_id, id);

create table notes (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  about_person_id uuid,
  about_household_id uuid,
  about_cell_id uuid,
  author_id uuid,
  assignee_id uuid,
  text text not null,
  kind text,
  visibility text default 'scope'::text not null,
  follow_up_on date,
  follow_up_status text,
  kind_folded text generated always as (fold(kind)) stored,
  place_id uuid,
  constraint notes_pkey PRIMARY KEY (account_id, id),
  constraint notes_about_one CHECK ((num_nonnulls(about_person_id, about_household_id, about_cell_id) = 1)),
  constraint notes_follow_up CHECK (((follow_up_on IS NULL) = (follow_up_status IS NULL))),
  constraint notes_follow_up_status_known CHECK ((follow_up_status = ANY (ARRAY['open'::text, 'done'::text]))),
  constraint notes_visibility_known CHECK ((visibility = ANY (ARRAY['scope'::text, 'staff'::text, 'confidential'::text]))),
  constraint notes_about_cell_fkey FOREIGN KEY (account_id, about_cell_id) REFERENCES cells(account_id, id) ON DELETE CASCADE,
  constraint notes_about_household_fkey FOREIGN KEY (account_id, about_household_id) REFERENCES households(account_id, id) ON DELETE CASCADE,
  constraint notes_about_person_fkey FOREIGN KEY (account_id, about_person_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notes_assignee_fkey FOREIGN KEY (account_id, assignee_id) REFERENCES people(account_id, id) ON DELETE SET NULL (assignee_id),
  constraint notes_author_fkey FOREIGN KEY (account_id, author_id) REFERENCES people(account_id, id) ON DELETE SET NULL (author_id)
);
CREATE INDEX notes_by_about_cell ON public.notes USING btree (account_id, about_cell_id);
CREATE INDEX notes_by_about_household ON public.notes USING btree (account_id, about_household_id);
CREATE INDEX notes_by_about_person ON public.notes USING btree (account_id, about_person_id);
CREATE INDEX notes_by_assignee ON public.notes USING btree (account_id, assignee_id);
CREATE INDEX notes_by_author ON public.notes USING btree (account_id, author_id);
CREATE INDEX notes_by_place ON public.notes USING btree (account_id, place_id) WHERE (place_id IS NOT NULL);
CREATE INDEX notes_by_time ON public.notes USING btree (account_id, created_at, id);
CREATE INDEX notes_confidential ON public.notes USING btree (account_id, id) WHERE (visibility = 'confidential'::text);
CREATE INDEX notes_open_follow_ups ON public.notes USING btree (account_id, follow_up_on, id) WHERE (follow_up_status = 'open'::text);

create table password_tokens (
  account_id uuid not null,
  token_hash bytea not null,
  person_id uuid not null,
  invitation_id uuid,
  expires_at timestamp(3) with time zone not null,
  constraint password_tokens_pkey PRIMARY KEY (account_id, token_hash),
  constraint password_tokens_invitation_fkey FOREIGN KEY (account_id, invitation_id) REFERENCES person_invitations(account_id, id) ON DELETE CASCADE,
  constraint password_tokens_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX password_tokens_by_expiry ON public.password_tokens USING btree (expires_at);
CREATE INDEX password_tokens_by_invitation ON public.password_tokens USING btree (account_id, invitation_id);
CREATE INDEX password_tokens_by_person ON public.password_tokens USING btree (account_id, person_id);

create table people (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  full_name text not null,
  first_name text,
  last_name text,
  preferred_name text,
  former_name text,
  sex text,
  birthdate date,
  birth_month_day text,
  deathdate date,
  marital_status text,
  wedding_date date,
  occupation text,
  nationality text,
  photo_id uuid,
  email text,
  other_emails jsonb default '[]'::jsonb not null,
  phones jsonb default '[]'::jsonb not null,
  address jsonb,
  emergency_contact jsonb,
  membership_status text default 'visitor'::text not null,
  membership_status_changed_at timestamp(3) with time zone,
  member_since date,
  admission_method text,
  decision_date date,
  is_baptized boolean,
  baptism_date date,
  previous_church text,
  left_at date,
  left_reason text,
  identity_documents jsonb default '[]'::jsonb not null,
  medical_notes text,
  is_active boolean default true not null,
  deactivated_at timestamp(3) with time zone,
  administrative_status text default 'none'::text not null,
  has_login boolean default false not null,
  last_login_at timestamp(3) with time zone,
  locale text,
  communication_preferences jsonb default '{}'::jsonb not null,
  directory_visibility jsonb default '{}'::jsonb not null,
  consents jsonb default '[]'::jsonb not null,
  custom_properties jsonb default '{}'::jsonb not null,
  external_ids jsonb default '{}'::jsonb not null,
  merged_ids uuid[] default '{}'::uuid[] not null,
  name_folded text generated always as (fold(full_name)) stored not null,
  birthday text generated always as (COALESCE(birth_month_day, ((lpad((EXTRACT(month FROM birthdate))::text, 2, '0'::text) || '-'::text) || lpad((EXTRACT(day FROM birthdate))::text, 2, '0'::text)))) stored,
  email_set_by uuid,
  is_anonymized boolean default false not null,
  constraint people_pkey PRIMARY KEY (account_id, id),
  constraint people_administrative_status_known CHECK ((administrative_status = ANY (ARRAY['none'::text, 'administrator'::text, 'full-administrator'::text]))),
  constraint people_anonymized_is_empty CHECK (((NOT is_anonymized) OR ((NOT is_active) AND (NOT has_login) AND (administrative_status = 'none'::text) AND (num_nonnulls(first_name, last_name, preferred_name, former_name, birthdate, birth_month_day, photo_id, email, address, emergency_contact, medical_notes) = 0) AND (other_emails = '[]'::jsonb) AND (phones = '[]'::jsonb) AND (identity_documents = '[]'::jsonb) AND (custom_properties = '{}'::jsonb) AND (external_ids = '{}'::jsonb)))),
  constraint people_birth_month_day_form CHECK ((birth_month_day ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'::text)),
  constraint people_birthday_agrees CHECK (((birthdate IS NULL) OR (birth_month_day IS NULL) OR (birth_month_day = ((lpad((EXTRACT(month FROM birthdate))::text, 2, '0'::text) || '-'::text) || lpad((EXTRACT(day FROM birthdate))::text, 2, '0'::text))))),
  constraint people_custom_properties_size CHECK ((octet_length((custom_properties)::text) <= 65536)),
  constraint people_login_needs_email CHECK (((NOT has_login) OR (email IS NOT NULL))),
  constraint people_sex_known CHECK ((sex = ANY (ARRAY['female'::text, 'male'::text]))),
  constraint people_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint people_photo_fkey FOREIGN KEY (account_id, photo_id) REFERENCES files(account_id, id)
);
CREATE INDEX people_by_name ON public.people USING btree (account_id, name_folded, id) INCLUDE (membership_status, is_active, sex, is_baptized, birthdate, birthday, is_anonymized);
CREATE INDEX people_by_photo ON public.people USING btree (account_id, photo_id) WHERE (photo_id IS NOT NULL);
CREATE INDEX people_custom_properties ON public.people USING gin (account_id, custom_properties jsonb_path_ops) WITH (gin_pending_list_limit='256') WHERE (custom_properties <> '{}'::jsonb);
CREATE UNIQUE INDEX people_email_key ON public.people USING btree (account_id, lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX people_full_administrators ON public.people USING btree (account_id) WHERE ((administrative_status = 'full-administrator'::text) AND is_active);
CREATE INDEX people_prospects ON public.people USING btree (account_id, created_by) WHERE (membership_status = 'prospect'::text);

create table person_anonymizations (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  constraint person_anonymizations_pkey PRIMARY KEY (account_id, id),
  constraint person_anonymizations_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_anonymizations_by_person ON public.person_anonymizations USING btree (account_id, person_id);

create table person_credentials (
  account_id uuid not null,
  person_id uuid not null,
  password_hash text not null,
  changed_at timestamp(3) with time zone default now() not null,
  link_makers uuid[] default '{}'::uuid[] not null,
  constraint person_credentials_pkey PRIMARY KEY (account_id, person_id),
  constraint person_credentials_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);

create table person_duplicates (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  other_id uuid not null,
  status text default 'open'::text not null,
  score integer not null,
  reasons text[] not null,
  constraint person_duplicates_pkey PRIMARY KEY (account_id, id),
  constraint person_duplicates_people_key UNIQUE (account_id, person_id, other_id),
  constraint person_duplicates_status_known CHECK ((status = ANY (ARRAY['open'::text, 'dismissed'::text]))),
  constraint person_duplicates_other_fkey FOREIGN KEY (account_id, other_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint person_duplicates_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_duplicates_by_other ON public.person_duplicates USING btree (account_id, other_id);
CREATE INDEX person_duplicates_by_score ON public.person_duplicates USING btree (account_id, score, id);

create table person_invitations (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  delivery text default 'email'::text not null,
  expires_at timestamp(3) with time zone not null,
  sent_at timestamp(3) with time zone,
  constraint person_invitations_pkey PRIMARY KEY (account_id, id),
  constraint person_invitations_delivery_known CHECK ((delivery = ANY (ARRAY['email'::text, 'link'::text]))),
  constraint person_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint person_invitations_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_invitations_by_person ON public.person_invitations USING btree (account_id, person_id);

create table person_match_keys (
  account_id uuid not null,
  key uuid not null,
  person_id uuid not null,
  reason text not null,
  constraint person_match_keys_pkey PRIMARY KEY (account_id, key, person_id),
  constraint person_match_keys_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_match_keys_by_person ON public.person_match_keys USING btree (account_id, person_id);

create table person_merge_removed (
  account_id uuid not null,
  merge_id uuid not null,
  removed_id uuid not null,
  constraint person_merge_removed_pkey PRIMARY KEY (account_id, merge_id, removed_id),
  constraint person_merge_removed_removed_key UNIQUE (account_id, removed_id),
  constraint person_merge_removed_merge_fkey FOREIGN KEY (account_id, merge_id) REFERENCES person_merges(account_id, id) ON DELETE CASCADE
);

create table person_merges (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  kept_id uuid not null,
  field_choices jsonb default '{}'::jsonb not null,
  keep_households boolean default false not null,
  note text,
  moved_counts jsonb default '{}'::jsonb not null,
  conflicts jsonb default '[]'::jsonb not null,
  constraint person_merges_pkey PRIMARY KEY (account_id, id),
  constraint person_merges_kept_fkey FOREIGN KEY (account_id, kept_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_merges_by_kept ON public.person_merges USING btree (account_id, kept_id);

create table person_search (
  account_id uuid not null,
  person_id uuid not null,
  words text not null,
  constraint person_search_pkey PRIMARY KEY (account_id, person_id),
  constraint person_search_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_search_words ON public.person_search USING gin (account_id, words gin_trgm_ops) WITH (gin_pending_list_limit='256');

create table person_tags (
  account_id uuid not null,
  person_id uuid not null,
  tag_id uuid not null,
  constraint person_tags_pkey PRIMARY KEY (account_id, person_id, tag_id),
  constraint person_tags_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint person_tags_tag_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE
);
CREATE INDEX person_tags_by_tag ON public.person_tags USING btree (account_id, tag_id);

create table role_assignments (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  role_id uuid not null,
  granted_by uuid,
  scope_type text not null,
  scope_ids uuid[] default '{}'::uuid[] not null,
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  constraint role_assignments_pkey PRIMARY KEY (account_id, id),
  constraint role_assignments_scope_ids_count CHECK ((cardinality(scope_ids) <= 200)),
  constraint role_assignments_scope_ids_fit CHECK (((scope_type <> ALL (ARRAY['account'::text, 'self'::text])) OR (scope_ids = '{}'::uuid[]))),
  constraint role_assignments_scope_type_known CHECK ((scope_type = ANY (ARRAY['account'::text, 'campus'::text, 'cell-tree'::text, 'cell'::text, 'course'::text, 'course-class'::text, 'list'::text, 'self'::text]))),
  constraint role_assignments_person_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, id) ON DELETE CASCADE,
  constraint role_assignments_role_fkey FOREIGN KEY (account_id, role_id) REFERENCES roles(account_id, id)
);
CREATE INDEX role_assignments_by_person ON public.role_assignments USING btree (account_id, person_id);
CREATE INDEX role_assignments_by_role ON public.role_assignments USING btree (account_id, role_id);

create table roles (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  name text not null,
  code text,
  permissions jsonb default '[]'::jsonb not null,
  description text,
  name_folded text generated always as (fold(name)) stored not null,
  constraint roles_pkey PRIMARY KEY (account_id, id),
  constraint roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX roles_code_key ON public.roles USING btree (account_id, code) WHERE (code IS NOT NULL);
CREATE UNIQUE INDEX roles_name_key ON public.roles USING btree (account_id, lower(name));

create table schema_facts (
  revision integer not null,
  hash text not null,
  applied_at timestamp(3) with time zone default now() not null,
  constraint schema_facts_pkey PRIMARY KEY (revision)
);

create table schema_migrations (
  name text not null,
  hash text not null,
  applied_at timestamp(3) with time zone default now() not null,
  breaking boolean default false not null,
  version text,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table tags (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  created_by uuid,
  modified_by uuid,
  name text not null,
  color text,
  applies_to text[] default '{people,cells,courses}'::text[] not null,
  name_folded text generated always as (fold(name)) stored not null,
  constraint tags_pkey PRIMARY KEY (account_id, id),
  constraint tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX tags_name_key ON public.tags USING btree (account_id, lower(name));

create table this_server (
  id boolean default true not null,
  number integer not null,
  installation uuid not null,
  servers integer default 1 not null,
  constraint this_server_pkey PRIMARY KEY (id),
  constraint this_server_id_check CHECK (id),
  constraint this_server_number_check CHECK ((number >= 1)),
  constraint this_server_servers_check CHECK ((servers >= 1))
);

create table visit_confirmations (
  account_id uuid not null,
  token_hash bytea not null,
  subject_type text not null,
  subject_id uuid not null,
  expires_at timestamp(3) with time zone not null,
  confirmed_at timestamp(3) with time zone,
  constraint visit_confirmations_pkey PRIMARY KEY (account_id, token_hash),
  constraint visit_confirmations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX visit_confirmations_by_expiry ON public.visit_confirmations USING btree (expires_at);
CREATE INDEX visit_confirmations_by_subject ON public.visit_confirmations USING btree (account_id, subject_id);

create table visit_proofs (
  account_id uuid not null,
  key bytea not null,
  expires_at timestamp(3) with time zone not null,
  constraint visit_proofs_pkey PRIMARY KEY (account_id, key),
  constraint visit_proofs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX visit_proofs_by_expiry ON public.visit_proofs USING btree (expires_at);

create table webhook_action_turns (
  account_id uuid not null,
  action text not null,
  constraint webhook_action_turns_pkey PRIMARY KEY (account_id, action),
  constraint webhook_action_turns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table webhook_actions (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  action text not null,
  asked_at timestamp(3) with time zone default now() not null,
  constraint webhook_actions_pkey PRIMARY KEY (account_id, id),
  constraint webhook_actions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX webhook_actions_by_time ON public.webhook_actions USING btree (account_id, action, asked_at);

create table webhook_attempts (
  account_id uuid not null,
  delivery_id uuid not null,
  sequence integer not null,
  attempt_number integer not null,
  state text not null,
  outcome text,
  http_status integer,
  error_code text,
  duration_ms integer,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (account_id, delivery_id, sequence)
) partition by RANGE (delivery_id);

create table webhook_controls (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  control_type text not null,
  destination_version integer not null,
  verification_generation integer not null,
  challenge text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint webhook_controls_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);

create table webhook_deliveries (
  account_id uuid not null,
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  kind text not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  event_type text,
  destination_version integer not null,
  origin_delivery_id uuid,
  replay_id uuid,
  status text default 'pending'::text not null,
  suppression_reason text,
  attempt_count integer default 0 not null,
  next_attempt_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);
CREATE INDEX webhook_deliveries_by_time ON ONLY public.webhook_deliveries USING btree (account_id, created_at, id) INCLUDE (endpoint_id, event_type, kind, status);
CREATE INDEX webhook_deliveries_failed ON ONLY public.webhook_deliveries USING btree (account_id, created_at, id) INCLUDE (endpoint_id, event_type, kind, status) WHERE (status = ANY (ARRAY['exhausted'::text, 'failed-permanent'::text, 'suppressed'::text]));

create table webhook_endpoint_changes (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  happened_at timestamp(3) with time zone default now() not null,
  change text not null,
  details jsonb default '{}'::jsonb not null,
  changed_by uuid,
  constraint webhook_endpoint_changes_pkey PRIMARY KEY (account_id, id),
  constraint webhook_endpoint_changes_endpoint_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_endpoint_changes_by_endpoint ON public.webhook_endpoint_changes USING btree (account_id, endpoint_id, happened_at, id);

create table webhook_endpoint_health (
  account_id uuid not null,
  endpoint_id uuid not null,
  consecutive_failures integer default 0 not null,
  streak_began_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  old_news_until timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  last_failure_at timestamp(3) with time zone,
  last_failure_code text,
  constraint webhook_endpoint_health_pkey PRIMARY KEY (account_id, endpoint_id),
  constraint webhook_endpoint_health_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_endpoint_health_failing ON public.webhook_endpoint_health USING btree (failing_since) WHERE (failing_since IS NOT NULL);

create table webhook_endpoint_secret_rotations (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  endpoint_id uuid not null,
  secret_generation integer not null,
  previous_valid_until timestamp(3) with time zone not null,
  constraint webhook_endpoint_secret_rotations_pkey PRIMARY KEY (account_id, id),
  constraint webhook_endpoint_secret_rotations_endpoint_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_endpoint_secret_rotations_by_endpoint ON public.webhook_endpoint_secret_rotations USING btree (account_id, endpoint_id);

create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  modified_at timestamp(3) with time zone default now() not null,
  name text,
  url text not null,
  normalized_url text not null,
  events text[] not null,
  status text default 'pending-verification'::text not null,
  pause_reason text,
  destination_version integer default 1 not null,
  verified_destination_version integer,
  verified_at timestamp(3) with time zone,
  secret_generation integer default 1 not null,
  secret_overlap_until timestamp(3) with time zone,
  verification_generation integer default 1 not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (account_id, id),
  constraint webhook_endpoints_active_is_verified CHECK (((status <> 'active'::text) OR (verified_destination_version = destination_version))),
  constraint webhook_endpoints_pause_reason_known CHECK ((pause_reason = ANY (ARRAY['manual'::text, 'health'::text, 'security-policy'::text]))),
  constraint webhook_endpoints_paused_for_a_reason CHECK (((status = 'paused'::text) = (pause_reason IS NOT NULL))),
  constraint webhook_endpoints_status_known CHECK ((status = ANY (ARRAY['pending-verification'::text, 'active'::text, 'paused'::text, 'deleted'::text]))),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_endpoints_url_key ON public.webhook_endpoints USING btree (account_id, normalized_url) WHERE (status <> 'deleted'::text);

create table webhook_events (
  account_id uuid not null,
  id uuid not null,
  event_type text not null,
  occurred_at timestamp(3) with time zone not null,
  cause text not null,
  batch_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  actor_id uuid,
  changed_fields text[],
  snapshot text not null,
  snapshot_bytes integer not null,
  omitted_fields text[] default '{}'::text[] not null,
  merge jsonb,
  constraint webhook_events_pkey PRIMARY KEY (account_id, id) INCLUDE (event_type, occurred_at)
) partition by RANGE (id);
CREATE INDEX webhook_events_by_subject ON ONLY public.webhook_events USING btree (account_id, subject_id);

create table webhook_hours (
  account_id uuid not null,
  endpoint_id uuid not null,
  hour timestamp(0) with time zone not null,
  attempts integer default 0 not null,
  retries integer default 0 not null,
  succeeded integer default 0 not null,
  failed integer default 0 not null,
  latency_ms_sum bigint default 0 not null,
  latencies integer[] not null,
  constraint webhook_hours_pkey PRIMARY KEY (account_id, endpoint_id, hour),
  constraint webhook_hours_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);

create table webhook_installation (
  is_only boolean default true not null,
  identity jsonb not null,
  held_identity jsonb,
  held_at timestamp(3) with time zone,
  constraint webhook_installation_pkey PRIMARY KEY (is_only),
  constraint webhook_installation_held CHECK (((held_identity IS NULL) = (held_at IS NULL))),
  constraint webhook_installation_is_only CHECK (is_only)
);

create table webhook_queue (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  kind text not null,
  event_type text,
  destination_version integer not null,
  verification_generation integer,
  status text default 'pending'::text not null,
  attempts_made integer default 0 not null,
  system_failures integer default 0 not null,
  expires_at timestamp(3) with time zone not null,
  ready boolean default true not null,
  due_at timestamp(3) with time zone not null,
  lease uuid,
  leased_at timestamp(3) with time zone,
  claims integer default 0 not null,
  constraint webhook_queue_pkey PRIMARY KEY (account_id, delivery_id)
);
CREATE INDEX webhook_queue_ready ON public.webhook_queue USING btree (account_id, endpoint_id, due_at) WHERE ready;
CREATE INDEX webhook_queue_waiting ON public.webhook_queue USING btree (due_at) WHERE (NOT ready);

create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  endpoint_id uuid not null,
  range_from timestamp(3) with time zone not null,
  range_to timestamp(3) with time zone not null,
  created_count integer default 0 not null,
  remaining_count integer default 0 not null,
  constraint webhook_replays_pkey PRIMARY KEY (account_id, id),
  constraint webhook_replays_endpoint_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_replays_by_endpoint ON public.webhook_replays USING btree (account_id, endpoint_id);

create table webhook_secrets (
  account_id uuid not null,
  endpoint_id uuid not null,
  generation integer not null,
  encrypted bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  valid_until timestamp(3) with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (account_id, endpoint_id, generation),
  constraint webhook_secrets_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);

create view account_facts as
 SELECT id AS account_id,
    alias,
    church_name,
    email,
    status,
    integration_approved,
    version,
    (settings ->> 'lang'::text) AS lang,
    COALESCE((settings ->> 'time-zone'::text), 'UTC'::text) AS time_zone,
    (settings ->> 'country'::text) AS country,
    (settings ->> 'currency'::text) AS currency,
    COALESCE(((settings ->> 'first-weekday'::text))::integer, 0) AS first_weekday,
    COALESCE(((settings ->> 'report-due-hours'::text))::integer, 24) AS report_due_hours,
    COALESCE(((settings ->> 'report-edit-days'::text))::integer, 14) AS report_edit_days,
    COALESCE(((settings ->> 'meeting-offerings'::text))::boolean, false) AS takes_offerings,
    COALESCE(((settings ->> 'one-participant-cell'::text))::boolean, true) AS has_one_participant_cell,
    COALESCE(((settings ->> 'child-age-limit'::text))::integer, 13) AS child_age_limit,
    COALESCE(((settings ->> 'public-area'::text))::boolean, true) AS has_public_area,
    (settings -> 'public-origins'::text) AS public_origins,
    COALESCE(((settings ->> 'public-pages'::text))::boolean, false) AS has_public_pages,
    COALESCE((settings ->> 'public-challenge'::text), 'none'::text) AS public_challenge,
    COALESCE(((settings ->> 'password-length-min'::text))::integer, 8) AS password_length_min
   FROM accounts;

create view active_cell_memberships as
 SELECT account_id,
    id,
    cell_id,
    person_id,
    cell_role,
    joined_on,
    is_member_role(cell_role) AS is_member,
    is_leading_role(cell_role) AS is_leading
   FROM cell_memberships
  WHERE (status = 'active'::text);

create view cell_leaders as
 SELECT led.account_id,
    led.cell_id,
    led.person_id,
    led.cell_role,
    cell.cell_type
   FROM (active_cell_memberships led
     JOIN cells cell ON (((cell.account_id = led.account_id) AND (cell.id = led.cell_id))))
  WHERE led.is_leading;

create view cell_meeting_weeks as
 SELECT meeting.account_id,
    meeting.cell_id,
    cell.parent_id AS supervision_id,
    meeting.date,
    week_of(meeting.date, account.first_weekday) AS week,
    (week_of(meeting.date, account.first_weekday) + 6) AS last_day
   FROM ((cell_meetings meeting
     JOIN account_facts account ON ((account.account_id = meeting.account_id)))
     LEFT JOIN cells cell ON (((cell.account_id = meeting.account_id) AND (cell.id = meeting.cell_id))));

create view cell_supervisors as
 SELECT above.account_id,
    above.cell_id,
    led.person_id,
    above.distance
   FROM (cell_ancestors above
     JOIN active_cell_memberships led ON (((led.account_id = above.account_id) AND (led.cell_id = above.ancestor_id))))
  WHERE ((above.distance > 0) AND (led.cell_role = 'leader'::text));

create view cell_tree as
 SELECT account_id,
    cell_id,
    ancestor_id,
    distance
   FROM cell_ancestors;

create view class_search as
 SELECT class.account_id,
    class.id AS class_id,
    concat_ws(' '::text, class.name_folded, fold(class.location), course.words) AS words
   FROM (course_classes class
     JOIN course_search course ON (((course.account_id = class.account_id) AND (course.course_id = class.course_id))));

create view course_material_classes as
 SELECT material.account_id,
    material.id AS material_id,
    class.id AS class_id
   FROM (course_classes class
     JOIN course_materials material ON (((material.account_id = class.account_id) AND (material.course_id = class.course_id))))
  WHERE ((material.class_id IS NULL) AND (material.publish_status <> 'draft'::text));

create view course_material_students as
 SELECT material.account_id,
    material.id AS material_id,
    enrollment.person_id
   FROM ((course_enrollments enrollment
     JOIN course_classes class ON (((class.account_id = enrollment.account_id) AND (class.id = enrollment.class_id))))
     JOIN course_materials material ON (((material.account_id = class.account_id) AND (material.course_id = class.course_id) AND ((material.class_id IS NULL) OR (material.class_id = class.id)))))
  WHERE (is_student(enrollment.status) AND (material.audience = 'student'::text) AND (material.publish_status <> 'draft'::text) AND ((material.available_from IS NULL) OR (material.publish_status = 'public'::text) OR ((class.starts + ((material.available_from)::double precision * '24:00:00'::interval)) <= now())));

create view course_progress as
 SELECT enrollment.account_id,
    enrollment.id AS enrollment_id,
    enrollment.course_id,
    enrollment.class_id,
    enrollment.person_id,
    attended.count AS lessons_attended,
    needed.count AS lessons_required,
        CASE
            WHEN (needed.count = 0) THEN 0
            ELSE LEAST(100, ((100 * attended.count) / needed.count))
        END AS progress,
    attended.missing_lessons,
    tasks.missing_tasks,
    ((needed.count > 0) AND (attended.count >= needed.count) AND (attended.missing_lessons = '{}'::uuid[]) AND (tasks.missing_tasks = '{}'::uuid[])) AS is_eligible_to_graduate
   FROM ((((course_enrollments enrollment
     JOIN courses course ON (((course.account_id = enrollment.account_id) AND (course.id = enrollment.course_id))))
     CROSS JOIN LATERAL ( SELECT COALESCE(NULLIF(course.lessons_to_graduate, 0), ( SELECT (count(*))::integer AS count
                   FROM course_lessons lesson
                  WHERE ((lesson.account_id = course.account_id) AND (lesson.course_id = course.id) AND lesson.is_active))) AS count
         OFFSET 0) needed)
     CROSS JOIN LATERAL ( SELECT (count(present.lesson_id))::integer AS count,
            COALESCE(array_agg(lesson.id ORDER BY lesson.number) FILTER (WHERE (lesson.is_mandatory AND (present.lesson_id IS NULL))), '{}'::uuid[]) AS missing_lessons
           FROM (course_lessons lesson
             LEFT JOIN ( SELECT DISTINCT attendance.lesson_id
                   FROM course_attendances attendance
                  WHERE ((attendance.account_id = enrollment.account_id) AND (attendance.enrollment_id = enrollment.id) AND attends_lesson(attendance.status, course.excused_counts))) present ON ((present.lesson_id = lesson.id)))
          WHERE ((lesson.account_id = course.account_id) AND (lesson.course_id = course.id) AND lesson.is_active)) attended)
     CROSS JOIN LATERAL ( SELECT COALESCE(array_agg(task.id ORDER BY task.id), '{}'::uuid[]) AS missing_tasks
           FROM course_tasks task
          WHERE ((task.account_id = course.account_id) AND (task.course_id = course.id) AND task.is_mandatory AND (task.assigned_to = 'student'::text) AND (NOT (EXISTS ( SELECT
                   FROM course_task_completions completion
                  WHERE ((completion.account_id = task.account_id) AND (completion.task_id = task.id) AND (completion.enrollment_id = enrollment.id) AND (completion.status = 'accepted'::text))))))) tasks);

create view course_search as
 SELECT account_id,
    id AS course_id,
    concat_ws(' '::text, name_folded, fold(code), fold(category)) AS words
   FROM courses;

create view course_session_students as
 SELECT session.account_id,
    session.id AS session_id,
    enrollment.person_id
   FROM (course_sessions session
     JOIN course_enrollments enrollment ON (((enrollment.account_id = session.account_id) AND (enrollment.class_id = session.class_id))))
  WHERE takes_seat(enrollment.status);

create view course_task_classes as
 SELECT task.account_id,
    task.id AS task_id,
    class.id AS class_id
   FROM (course_tasks task
     JOIN course_classes class ON (((class.account_id = task.account_id) AND (class.course_id = task.course_id))));

create view course_task_students as
 SELECT task.account_id,
    task.id AS task_id,
    enrollment.person_id
   FROM (course_tasks task
     JOIN course_enrollments enrollment ON (((enrollment.account_id = task.account_id) AND (enrollment.course_id = task.course_id))))
  WHERE ((task.assigned_to = 'student'::text) AND is_student(enrollment.status));

create view courses_of_classes as
 SELECT account_id,
    id AS class_id,
    course_id
   FROM course_classes;

create view enrolled_people as
 SELECT account_id,
    person_id,
    course_id,
    class_id
   FROM course_enrollments
  WHERE (is_enrolled(status) AND is_accepted);

create view form_counted_submissions as
 SELECT account_id,
    form_id,
    answers,
    source,
    ((submitted_at AT TIME ZONE time_zone_of(account_id)))::date AS day
   FROM form_submissions
  WHERE (status <> ALL (ARRAY['spam'::text, 'rejected'::text]));

create view form_likely_people as
 SELECT form_submissions.account_id,
    form_submissions.id AS submission_id,
    form_submissions.person_id,
    0 AS "position"
   FROM form_submissions
  WHERE (form_submissions.person_id IS NOT NULL)
UNION ALL
 SELECT suggested.account_id,
    suggested.submission_id,
    suggested.person_id,
    suggested."position"
   FROM (form_submission_suggestions suggested
     JOIN form_submissions submission ON (((submission.account_id = suggested.account_id) AND (submission.id = suggested.submission_id))))
  WHERE (submission.person_id IS NULL);

create view form_readers as
 SELECT form.account_id,
    form.id AS form_id,
    member.person_id
   FROM (forms form
     JOIN active_cell_memberships member ON (((member.account_id = form.account_id) AND (member.cell_id = form.cell_id))))
  WHERE (form.requires_login AND (form.status = ANY (ARRAY['open'::text, 'closed'::text])));

create view form_submission_places as
 SELECT submission.account_id,
    submission.id AS form_submission_id,
    form.cell_id,
    form.course_id
   FROM (form_submissions submission
     JOIN forms form ON (((form.account_id = submission.account_id) AND (form.id = submission.form_id))));

create view form_totals as
 SELECT account_id,
    id,
    cell_id,
    course_id,
    form_answer_totals(form.*) AS fields,
    form_source_totals(form.*) AS sources,
    form_day_totals(form.*) AS days
   FROM forms form;

create view form_version_places as
 SELECT number.account_id,
    number.id AS form_version_id,
    form.cell_id,
    form.course_id
   FROM (form_versions number
     JOIN forms form ON (((form.account_id = number.account_id) AND (form.id = number.form_id))));

create view held_roles as
 SELECT valid_role_assignments.account_id,
    valid_role_assignments.person_id,
    valid_role_assignments.name,
    valid_role_assignments.code,
    valid_role_assignments.permissions,
    valid_role_assignments.scope_type,
    valid_role_assignments.scope_ids,
    false AS is_derived,
    valid_role_assignments.id AS "position",
    valid_role_assignments.valid_until
   FROM valid_role_assignments
UNION ALL
 SELECT derived.account_id,
    derived.person_id,
    role.name,
    role.code,
    role.permissions,
    derived.scope_type,
    derived.scope_ids,
    true AS is_derived,
    NULL::uuid AS "position",
    NULL::timestamp with time zone AS valid_until
   FROM (( SELECT led.account_id,
            led.person_id,
            'cell-leader'::text AS code,
            'cell'::text AS scope_type,
            array_agg(led.cell_id) AS scope_ids
           FROM active_cell_memberships led
          WHERE led.is_leading
          GROUP BY led.account_id, led.person_id
        UNION ALL
         SELECT led.account_id,
            led.person_id,
            'cell-supervisor'::text,
            'cell-tree'::text,
            array_agg(led.cell_id) AS array_agg
           FROM cell_leaders led
          WHERE ((led.cell_role = 'leader'::text) AND (led.cell_type = 'supervision'::text))
          GROUP BY led.account_id, led.person_id
        UNION ALL
         SELECT taught.account_id,
            taught.person_id,
            'teacher'::text,
            'course-class'::text,
            array_agg(taught.class_id) AS array_agg
           FROM taught_classes taught
          GROUP BY taught.account_id, taught.person_id) derived
     JOIN roles role ON (((role.account_id = derived.account_id) AND (role.code = derived.code))));

create view household_companions as
 SELECT own.account_id,
    own.person_id,
    companion.person_id AS companion_id,
    companion.id AS membership_id,
    own.may_pick_up
   FROM (household_memberships own
     JOIN household_memberships companion ON (((companion.account_id = own.account_id) AND (companion.household_id = own.household_id))));

create view material_attachment_classes as
 SELECT attachment.account_id,
    attachment.id AS attachment_id,
    reader.class_id
   FROM (material_attachments attachment
     JOIN course_material_classes reader ON (((reader.account_id = attachment.account_id) AND (reader.material_id = attachment.material_id))));

create view material_attachment_places as
 SELECT attachment.account_id,
    attachment.id AS attachment_id,
    material.course_id,
    material.class_id
   FROM (material_attachments attachment
     JOIN course_materials material ON (((material.account_id = attachment.account_id) AND (material.id = attachment.material_id))));

create view material_attachment_students as
 SELECT attachment.account_id,
    attachment.id AS attachment_id,
    student.person_id
   FROM (material_attachments attachment
     JOIN course_material_students student ON (((student.account_id = attachment.account_id) AND (student.material_id = attachment.material_id))));

create view member_periods as
 SELECT account_id,
    cell_id,
    person_id,
    lower(days) AS since,
    upper(days) AS until
   FROM ( SELECT membership.account_id,
            membership.cell_id,
            member_of(membership.*) AS person_id,
            unnest(range_agg(member_days(membership.*))) AS days
           FROM cell_memberships membership
          GROUP BY membership.account_id, membership.cell_id, (member_of(membership.*))) period;

create view merged_people as
 SELECT removed.account_id,
    removed.removed_id AS id,
    merge.kept_id,
    merge.created_at AS merged_at,
    merge.id AS merge_id
   FROM (person_merge_removed removed
     JOIN person_merges merge ON (((merge.account_id = removed.account_id) AND (merge.id = removed.merge_id))));

create view missed_attendances as
 SELECT membership.account_id,
    (md5(concat(meeting.id, membership.person_id)))::uuid AS id,
    meeting.version,
    meeting.created_at,
    meeting.modified_at,
    NULL::uuid AS created_by,
    NULL::uuid AS modified_by,
    meeting.id AS meeting_id,
    meeting.cell_id,
    membership.person_id,
    meeting.date,
    'missed'::text AS status,
    false AS is_visitor,
    false AS first_time,
    NULL::text AS note,
    membership.id AS membership_id,
    concat(meeting.id, '.', membership.person_id) AS added_id
   FROM (cell_memberships membership
     JOIN cell_meetings meeting ON (((meeting.account_id = membership.account_id) AND (meeting.cell_id = membership.cell_id) AND (meeting.status = 'held'::text) AND was_membership(membership.*, meeting.date))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM cell_memberships other
          WHERE ((other.account_id = membership.account_id) AND (other.person_id = membership.person_id) AND (other.cell_id = membership.cell_id) AND (other.id < membership.id) AND was_membership(other.*, meeting.date))))) AND (NOT (EXISTS ( SELECT
           FROM cell_attendances present
          WHERE ((present.account_id = membership.account_id) AND (present.meeting_id = meeting.id) AND (present.person_id = membership.person_id))))));

create view note_cells as
 SELECT notes.account_id,
    notes.id AS note_id,
    notes.place_id AS cell_id,
    notes.visibility
   FROM notes
  WHERE (notes.place_id IS NOT NULL)
UNION ALL
 SELECT notes.account_id,
    notes.id AS note_id,
    notes.about_cell_id AS cell_id,
    notes.visibility
   FROM notes
  WHERE ((notes.about_cell_id IS NOT NULL) AND (notes.place_id IS NULL))
UNION ALL
 SELECT note.account_id,
    note.id AS note_id,
    membership.cell_id,
    note.visibility
   FROM (notes note
     JOIN active_cell_memberships membership ON (((membership.account_id = note.account_id) AND (membership.person_id = note.about_person_id))))
  WHERE (note.place_id IS NULL);

create view note_courses as
 SELECT note.account_id,
    note.id AS note_id,
    class.course_id,
    class.class_id,
    note.visibility
   FROM (notes note
     JOIN courses_of_classes class ON (((class.account_id = note.account_id) AND (class.class_id = note.place_id))));

create view note_readers as
 SELECT notes.account_id,
    notes.id AS note_id,
    notes.author_id AS person_id
   FROM notes
  WHERE (notes.author_id IS NOT NULL)
UNION ALL
 SELECT notes.account_id,
    notes.id AS note_id,
    notes.assignee_id AS person_id
   FROM notes
  WHERE (notes.assignee_id IS NOT NULL)
UNION ALL
 SELECT note.account_id,
    note.id AS note_id,
    given.person_id
   FROM (valid_role_assignments given
     JOIN notes note ON (((note.account_id = given.account_id) AND (note.visibility = 'confidential'::text))))
  WHERE ((given.permissions ? 'note-confidential:read'::text) AND
        CASE given.scope_type
            WHEN 'account'::text THEN true
            WHEN 'cell'::text THEN (EXISTS ( SELECT
               FROM note_cells place
              WHERE ((place.account_id = note.account_id) AND (place.note_id = note.id) AND (place.cell_id = ANY (given.scope_ids)))))
            WHEN 'cell-tree'::text THEN (EXISTS ( SELECT
               FROM (note_cells place
                 JOIN cell_tree tree ON (((tree.account_id = note.account_id) AND (tree.cell_id = place.cell_id))))
              WHERE ((place.account_id = note.account_id) AND (place.note_id = note.id) AND (tree.ancestor_id = ANY (given.scope_ids)))))
            WHEN 'course'::text THEN (EXISTS ( SELECT
               FROM note_courses place
              WHERE ((place.account_id = note.account_id) AND (place.note_id = note.id) AND (place.course_id = ANY (given.scope_ids)))))
            WHEN 'course-class'::text THEN (EXISTS ( SELECT
               FROM note_courses place
              WHERE ((place.account_id = note.account_id) AND (place.note_id = note.id) AND (place.class_id = ANY (given.scope_ids)))))
            ELSE false
        END);

create view person_absences as
 SELECT person.account_id,
    person.person_id,
    attended.last_on AS last_attended_on,
    ( SELECT (count(*))::integer AS count
           FROM absences_of(person.account_id, person.person_id, COALESCE(attended.last_on, '-infinity'::date)) absences_of(absences_of)) AS absent_streak
   FROM (person_facts person
     CROSS JOIN LATERAL ( SELECT ( SELECT cell_attendances.date
                   FROM cell_attendances
                  WHERE ((cell_attendances.account_id = person.account_id) AND (cell_attendances.person_id = person.person_id) AND was_present(cell_attendances.status))
                  ORDER BY cell_attendances.date DESC
                 LIMIT 1) AS last_on
         OFFSET 0) attended);

create view person_duplicate_people as
 SELECT person_duplicates.account_id,
    person_duplicates.id AS duplicate_id,
    person_duplicates.person_id
   FROM person_duplicates
UNION ALL
 SELECT person_duplicates.account_id,
    person_duplicates.id AS duplicate_id,
    person_duplicates.other_id AS person_id
   FROM person_duplicates;

create view person_facts as
 SELECT account_id,
    person_id,
    full_name,
    name_folded,
    called_name,
    letter_name,
    email,
    phones,
    locale,
    membership_status,
    is_baptized,
    is_active,
    administrative_status,
    has_login,
    age,
    is_child,
        CASE
            WHEN (is_active AND (deathdate IS NULL) AND (is_child IS NOT TRUE)) THEN called_name
            ELSE NULL::text
        END AS public_name,
    email_set_by,
    is_anonymized
   FROM ( SELECT people.account_id,
            people.id AS person_id,
            people.full_name,
            people.name_folded,
            COALESCE(people.preferred_name, people.first_name, "substring"(people.full_name, '\S+'::text)) AS called_name,
            COALESCE(people.preferred_name, people.first_name, people.full_name) AS letter_name,
            people.email,
            people.email_set_by,
            people.phones,
            people.locale,
            people.membership_status,
            people.is_baptized,
            people.is_active,
            people.deathdate,
            people.administrative_status,
            people.has_login,
            people.is_anonymized,
            age_of(people.birthdate) AS age,
            is_child(people.birthdate, ( SELECT account.child_age_limit
                   FROM account_facts account
                  WHERE (account.account_id = people.account_id))) AS is_child
           FROM people) person;

create view prospects as
 SELECT account_id,
    id AS person_id,
    created_by
   FROM people
  WHERE (membership_status = 'prospect'::text);

create view recent_cell_memberships as
 SELECT former.account_id,
    former.cell_id,
    former.person_id,
    former.left_on
   FROM (cell_memberships former
     JOIN account_facts account ON ((account.account_id = former.account_id)))
  WHERE ((former.status = 'left'::text) AND (former.person_id IS NOT NULL) AND (former.left_on >= (CURRENT_DATE - 31)) AND (former.left_on >= (((now() AT TIME ZONE account.time_zone))::date - 30)));

create view resolved_people as
 SELECT merged_people.account_id,
    merged_people.id,
    merged_people.kept_id,
    merged_people.merged_at AS resolved_at
   FROM merged_people
UNION ALL
 SELECT people.account_id,
    people.id,
    NULL::uuid AS kept_id,
    'infinity'::timestamp with time zone AS resolved_at
   FROM people
  WHERE people.is_anonymized;

create view role_assignment_places as
 SELECT role_assignments.account_id,
    role_assignments.id,
        CASE role_assignments.scope_type
            WHEN 'cell-tree'::text THEN 'cell'::text
            ELSE role_assignments.scope_type
        END AS place_type,
    unnest(role_assignments.scope_ids) AS place_id
   FROM role_assignments
UNION ALL
 SELECT given.account_id,
    given.id,
    'course'::text AS place_type,
    class.course_id AS place_id
   FROM (role_assignments given
     JOIN courses_of_classes class ON (((class.account_id = given.account_id) AND (class.class_id = ANY (given.scope_ids)))))
  WHERE (given.scope_type = 'course-class'::text);

create view roles_ahead as
 SELECT held_roles.account_id,
    held_roles.person_id,
    held_roles.code,
    held_roles.permissions,
    held_roles.scope_type,
    held_roles.scope_ids,
    held_roles.valid_until,
    held_roles.is_derived
   FROM held_roles
UNION ALL
 SELECT given.account_id,
    given.person_id,
    role.code,
    role.permissions,
    given.scope_type,
    given.scope_ids,
    given.valid_until,
    false AS is_derived
   FROM (role_assignments given
     JOIN roles role ON (((role.account_id = given.account_id) AND (role.id = given.role_id))))
  WHERE (given.valid_from > now());

create view sole_participants as
 SELECT participant.account_id,
    participant.person_id,
    participant.cell_id
   FROM (active_cell_memberships participant
     JOIN account_facts account ON ((account.account_id = participant.account_id)))
  WHERE ((participant.cell_role = 'participant'::text) AND account.has_one_participant_cell);

create view taught_classes as
 SELECT account_id,
    class_id,
    person_id
   FROM course_class_teachers;

create view valid_role_assignments as
 SELECT given.account_id,
    given.id,
    given.person_id,
    given.scope_type,
    given.scope_ids,
    role.name,
    role.code,
    role.permissions,
    given.valid_until
   FROM (role_assignments given
     JOIN roles role ON (((role.account_id = given.account_id) AND (role.id = given.role_id))))
  WHERE (((given.valid_from IS NULL) OR (given.valid_from <= now())) AND ((given.valid_until IS NULL) OR (given.valid_until > now())));

create view webhook_delivery_history as
 SELECT delivery.account_id,
    delivery.id,
    delivery.created_at,
    delivery.updated_at,
    delivery.kind,
    delivery.endpoint_id,
        CASE
            WHEN (delivery.kind = 'production'::text) THEN delivery.message_id
            ELSE NULL::uuid
        END AS event_id,
    COALESCE(delivery.event_type, ('webhook.'::text || delivery.kind)) AS event_type,
    delivery.origin_delivery_id,
    delivery.attempt_count,
    delivery.suppression_reason,
    delivery.expires_at,
        CASE
            WHEN (held.lease IS NULL) THEN delivery.status
            ELSE 'processing'::text
        END AS status,
        CASE
            WHEN (held.lease IS NULL) THEN delivery.next_attempt_at
            ELSE NULL::timestamp with time zone
        END AS next_attempt_at,
    delivery.status AS recorded_status,
        CASE delivery.status
            WHEN 'delivered'::text THEN 'delivered'::text
            WHEN 'suppressed'::text THEN 'suppressed'::text
            WHEN 'pending'::text THEN 'waiting'::text
            WHEN 'retry-scheduled'::text THEN 'waiting'::text
            WHEN 'blocked-system'::text THEN 'waiting'::text
            ELSE 'failed'::text
        END AS outcome
   FROM (webhook_deliveries delivery
     LEFT JOIN webhook_queue held ON (((held.account_id = delivery.account_id) AND (held.delivery_id = delivery.id) AND (held.lease IS NOT NULL) AND (held.due_at > now()))));

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_accounts();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_attendances DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_attendances();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_closings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_closings();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_join_requests DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_join_requests();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_meetings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_meetings();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_memberships DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_memberships();

CREATE CONSTRAINT TRIGGER journal_leaders AFTER INSERT OR DELETE ON public.cell_multiplication_leaders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_multiplication_leaders();

CREATE CONSTRAINT TRIGGER journal_members AFTER INSERT OR DELETE ON public.cell_multiplication_members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_multiplication_members();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_multiplications DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_multiplications();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_reopenings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_reopenings();

CREATE CONSTRAINT TRIGGER journal_tags AFTER INSERT OR DELETE ON public.cell_tags DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_tags();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cell_transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cell_transfers();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.cells DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_cells();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_attendance_sheets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_attendance_sheets();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_attendances DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_attendances();

CREATE CONSTRAINT TRIGGER journal_teachers AFTER INSERT OR DELETE ON public.course_class_teachers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_class_teachers();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_classes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_classes();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_enrollment_requests DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_enrollment_requests();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_enrollments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_enrollments();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_lessons DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_lessons();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_materials DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_materials();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_requirements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_requirements();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_session_plans DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_session_plans();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_sessions();

CREATE CONSTRAINT TRIGGER journal_tags AFTER INSERT OR DELETE ON public.course_tags DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_tags();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_task_completions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_task_completions();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.course_tasks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_tasks();

CREATE CONSTRAINT TRIGGER journal_teachers AFTER INSERT OR DELETE ON public.course_teachers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_course_teachers();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.courses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_courses();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.form_submission_changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_form_submission_changes();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.form_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_form_submissions();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.form_versions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_form_versions();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.forms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_forms();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.household_memberships DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_household_memberships();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.households DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_households();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.import_jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_import_jobs();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.import_rows DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_import_rows();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.import_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_import_runs();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.import_undos DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_import_undos();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.material_attachments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_material_attachments();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_notes();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.people DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_people();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.person_anonymizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_person_anonymizations();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.person_duplicates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_person_duplicates();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.person_invitations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_person_invitations();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.person_merges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_person_merges();

CREATE CONSTRAINT TRIGGER journal_tags AFTER INSERT OR DELETE ON public.person_tags DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_person_tags();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.role_assignments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_role_assignments();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.roles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_roles();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.tags DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_tags();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.webhook_endpoint_secret_rotations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_webhook_endpoint_secret_rotations();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.webhook_endpoints DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_webhook_endpoints();

CREATE CONSTRAINT TRIGGER journal AFTER INSERT OR DELETE OR UPDATE ON public.webhook_replays DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((current_setting('vestry.journal'::text, true) IS DISTINCT FROM 'off'::text)) EXECUTE FUNCTION journal_webhook_replays();
