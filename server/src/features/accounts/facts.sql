-- The accounts as other features see them. Settings have the values that hold while the account sets none.
create or replace view account_facts as
  select id as account_id, alias, church_name, email, status, integration_approved, version,
    settings ->> 'lang' as lang,
    coalesce(settings ->> 'time-zone', 'UTC') as time_zone,
    settings ->> 'country' as country,
    settings ->> 'currency' as currency,
    coalesce((settings ->> 'first-weekday')::integer, 0) as first_weekday,
    -- Counted from the end of a meeting.
    coalesce((settings ->> 'report-due-hours')::integer, 24) as report_due_hours,
    -- Days in which the leaders of a cell can change a report.
    coalesce((settings ->> 'report-edit-days')::integer, 14) as report_edit_days,
    coalesce((settings ->> 'meeting-offerings')::boolean, false) as takes_offerings,
    coalesce((settings ->> 'one-participant-cell')::boolean, true) as has_one_participant_cell,
    -- A person below this age is a child.
    coalesce((settings ->> 'child-age-limit')::integer, 13) as child_age_limit,
    coalesce((settings ->> 'public-area')::boolean, true) as has_public_area,
    settings -> 'public-origins' as public_origins,
    coalesce((settings ->> 'public-pages')::boolean, false) as has_public_pages,
    coalesce(settings ->> 'public-challenge', 'none') as public_challenge,
    -- The characters that a password has when it is set.
    coalesce((settings ->> 'password-length-min')::integer, 8) as password_length_min
  from accounts;

create or replace function time_zone_of(in_account uuid) returns text
  language sql stable parallel safe
  return coalesce((select time_zone from account_facts where account_id = in_account), 'UTC');

-- The date in the time zone of the account.
create or replace function today_in(in_account uuid) returns date
  language sql stable parallel safe
  return (now() at time zone time_zone_of(in_account))::date;

-- Whether every reader of a record may read this custom field of it.
create or replace function is_open_custom_field(in_account uuid, of_type text, name text) returns boolean
  language sql stable parallel safe
  return coalesce((
    select coalesce(field ->> 'read-access', 'scope') = 'scope' and not coalesce((field ->> 'archived')::boolean, false)
    from (select custom_properties -> of_type -> name as field from accounts where id = in_account) account
    where field is not null), false);
