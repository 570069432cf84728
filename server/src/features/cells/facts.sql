-- A coordinate as the public area shows it. Two decimals are about one kilometer.
create or replace function public_degrees(degrees numeric, is_exact boolean) returns double precision
  language sql immutable parallel safe
  return case when is_exact then degrees else round(degrees, 2) end::double precision;

-- Every role in a cell is that of a member, except that of a visitor.
create or replace function is_member_role(cell_role text) returns boolean
  language sql immutable parallel safe
  return cell_role <> 'visitor';

create or replace function is_leading_role(cell_role text) returns boolean
  language sql immutable parallel safe
  return cell_role in ('leader', 'co-leader');

-- Whether a membership was that of a member on a day. `members-count`, `is-visitor`, absences and rates follow from it.
create or replace function was_membership(membership cell_memberships, day date) returns boolean
  language sql immutable parallel safe
  return is_member_role(membership.cell_role) and membership.joined_on <= day
    and (membership.status = 'active' or membership.left_on > day);

create or replace function was_member(in_account uuid, in_cell uuid, of_person uuid, day date) returns boolean
  language sql stable parallel safe
  return exists (
    select from cell_memberships membership
    where membership.account_id = in_account and membership.cell_id = in_cell and membership.person_id = of_person
      and was_membership(membership, day));

-- The statuses of an attendance that are presence.
create or replace function was_present(status text) returns boolean
  language sql immutable parallel safe
  return status in ('present', 'online');

-- The memberships of this moment.
create or replace view active_cell_memberships as
  select account_id, id, cell_id, person_id, cell_role, joined_on,
    is_member_role(cell_role) as is_member, is_leading_role(cell_role) as is_leading
  from cell_memberships
  where status = 'active';

-- The participants of a cell who cannot be participants of another one.
create or replace view sole_participants as
  select participant.account_id, participant.person_id, participant.cell_id
  from active_cell_memberships participant
  join account_facts account on account.account_id = participant.account_id
  where participant.cell_role = 'participant' and account.has_one_participant_cell;

-- The people who lead a cell at this moment.
create or replace view cell_leaders as
  select led.account_id, led.cell_id, led.person_id, led.cell_role, cell.cell_type
  from active_cell_memberships led
  join cells cell on cell.account_id = led.account_id and cell.id = led.cell_id
  where led.is_leading;

-- Each cell with all cells above it and itself (distance 0).
create or replace view cell_tree as
  select account_id, cell_id, ancestor_id, distance from cell_ancestors;

-- The leaders of the cells above a cell, the nearest first.
create or replace view cell_supervisors as
  select above.account_id, above.cell_id, led.person_id, above.distance
  from cell_ancestors above
  join active_cell_memberships led on led.account_id = above.account_id and led.cell_id = above.ancestor_id
  where above.distance > 0 and led.cell_role = 'leader';

-- The end of a meeting is in the time zone of the account.
create or replace function report_status(
  in_account uuid, status text, on_date date, ends_at integer, submitted_at timestamptz
) returns text language plpgsql stable as $$
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
end $$;

-- The reports of each cell and week. Columns that a statement does not select cost nothing.
create or replace view cell_report_summaries as
  select account_id, cell_id || '.' || week as id, cell_id, week, week + 6 as last_day,
    count(*) filter (where status <> 'cancelled')::integer as expected,
    count(*) filter (where submitted_at is not null)::integer as submitted,
    count(*) filter (where status = 'held')::integer as held,
    coalesce(sum(present) filter (where status = 'held'), 0)::integer as present,
    coalesce(sum(visitors_count) filter (where status = 'held'), 0)::integer as visitors,
    max(members_count) filter (where status = 'held') as members,
    round(100.0 * count(*) filter (where submitted_at is not null)
      / nullif(count(*) filter (where status <> 'cancelled'), 0))::integer as rate,
    round(100.0 * sum(members_present) filter (where status = 'held')
      / nullif(sum(members_count) filter (where status = 'held'), 0))::integer as attendance_rate
  from (
    select meeting.account_id, meeting.cell_id, meeting.status, meeting.submitted_at, meeting.visitors_count,
      meeting.members_count,
      meeting.date - (extract(dow from meeting.date)::integer
        - account.first_weekday + 7) % 7 as week,
      (select count(*) from cell_attendances a where a.account_id = meeting.account_id
        and a.meeting_id = meeting.id and was_present(a.status)) as present,
      (select count(*) from cell_attendances a where a.account_id = meeting.account_id
        and a.meeting_id = meeting.id and was_present(a.status) and not a.is_visitor) as members_present
    from cell_meetings meeting join account_facts account on account.account_id = meeting.account_id
  ) meeting
  group by account_id, cell_id, week;

-- The dates after a given one on which a person was absent. A member who has no row at a held meeting was absent, like
-- one with a row that says so. Leaders tick only the people who came.
create or replace function absences_of(in_account uuid, of_person uuid, after date) returns setof date
  language sql stable parallel safe
  begin atomic
    select date from cell_attendances
    where account_id = in_account and person_id = of_person and status = 'absent' and date > after
    union all
    select meeting.date
    from cell_memberships membership
    join cell_meetings meeting on meeting.account_id = in_account and meeting.cell_id = membership.cell_id
      and meeting.status = 'held' and meeting.date > after and was_membership(membership, meeting.date)
    where membership.account_id = in_account and membership.person_id = of_person
      and not exists (
        select from cell_attendances present where present.account_id = in_account and present.meeting_id = meeting.id
          and present.person_id = of_person);
  end;

-- A view, because PostgreSQL plans it as a part of a statement about many people. A function would run for each person.
create or replace view person_absences as
  select person.account_id, person.person_id, attended.last_on as last_attended_on,
    (select count(*)::integer
     from absences_of(person.account_id, person.person_id, coalesce(attended.last_on, '-infinity'))) as absent_streak
  from person_facts person
  cross join lateral (
    select (
      select date from cell_attendances
      where account_id = person.account_id and person_id = person.person_id and was_present(status)
      order by date desc limit 1) as last_on
    offset 0) attended;

create or replace function attendance_summary(in_account uuid, of_person uuid) returns jsonb language plpgsql stable as $$
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
end $$;
