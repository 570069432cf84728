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

-- The days on which a membership is that of a member. `members-count`, `is-visitor`, absences and rates follow from it.
create or replace function member_days(membership cell_memberships) returns daterange
  language sql immutable parallel safe
  return case
    when is_member_role(membership.cell_role) and (membership.status = 'active' or membership.left_on is not null)
      then daterange(membership.joined_on, membership.left_on)
  end;

create or replace function was_membership(membership cell_memberships, day date) returns boolean
  language sql immutable parallel safe
  return member_days(membership) @> day;

create or replace function was_member(in_account uuid, in_cell uuid, of_person uuid, day date) returns boolean
  language sql stable parallel safe
  return exists (
    select from cell_memberships membership
    where membership.account_id = in_account and membership.cell_id = in_cell and membership.person_id = of_person
      and was_membership(membership, day));

-- The member whom a membership counts. The memberships of a deleted person count one by one, because none of them overlaps another.
create or replace function member_of(membership cell_memberships) returns uuid
  language sql immutable parallel safe
  return coalesce(membership.person_id, membership.id);

-- The same for statements about many people: a person is a member from `since` to the day before `until`. Memberships that
-- overlap are one period, so no day counts twice. `person_id` is the member, also one who was deleted.
create or replace view member_periods as
  select account_id, cell_id, person_id, lower(days) as since, upper(days) as until
  from (
    select account_id, cell_id, member_of(membership) as person_id, unnest(range_agg(member_days(membership))) as days
    from cell_memberships membership
    group by account_id, cell_id, member_of(membership)) period;

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

-- The memberships that ended in the last 30 days. The first condition on `left_on` holds in every time zone and uses the index.
create or replace view recent_cell_memberships as
  select former.account_id, former.cell_id, former.person_id, former.left_on
  from cell_memberships former
  join account_facts account on account.account_id = former.account_id
  where former.status = 'left' and former.person_id is not null and former.left_on >= current_date - 31
    and former.left_on >= (now() at time zone account.time_zone)::date - 30;

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

-- The first day of the week of a date. The first of the dates that are compared is a Sunday.
create or replace function week_of(day date, first_weekday integer) returns date
  language sql immutable parallel safe
  return day - ((day - date '2000-01-02' - first_weekday) % 7 + 7) % 7;

-- The meetings with their weeks.
create or replace view cell_meeting_weeks as
  select meeting.account_id, meeting.cell_id, cell.parent_id as supervision_id, meeting.date,
    week_of(meeting.date, account.first_weekday) as week,
    week_of(meeting.date, account.first_weekday) + 6 as last_day
  from cell_meetings meeting
  join account_facts account on account.account_id = meeting.account_id
  left join cells cell on cell.account_id = meeting.account_id and cell.id = meeting.cell_id;

-- The numbers of each week of some cells. Every table is read once. The members of a day are those of the day before, and the
-- periods that begin or end. PostgreSQL guesses few rows for the parameters, and would compare all of them with nested loops.
create or replace function cell_week_counts(in_account uuid, in_cells uuid[], first_day date, last_day date)
  returns table (
    cell_id uuid, week date, expected integer, submitted integer, held integer, present integer, visitors integer,
    members integer, member_days bigint, members_present bigint)
  language sql stable
  set enable_nestloop = off
  set enable_sort = off
  set work_mem = '32MB'
begin atomic
  with period as materialized (
    select known.cell_id, known.person_id, known.since, known.until from member_periods known
    where known.account_id = in_account and known.cell_id = any(in_cells)
  ),
  change as (
    select period.cell_id, period.since as day, 1 as members, 0 as present, 0 as members_present, null as status,
      false as is_submitted, 0 as visitors
    from period
    union all
    select period.cell_id, period.until, -1, 0, 0, null, false, 0 from period where period.until is not null
    union all
    select attendance.cell_id, attendance.date, 0, count(*)::integer, count(period.person_id)::integer, null, false, 0
    from cell_attendances attendance
    left join period on period.cell_id = attendance.cell_id and period.person_id = attendance.person_id
      and attendance.date >= period.since and (period.until is null or attendance.date < period.until)
    where attendance.account_id = in_account and attendance.cell_id = any(in_cells) and was_present(attendance.status)
      and attendance.date between first_day and cell_week_counts.last_day
    group by attendance.cell_id, attendance.date
    union all
    -- Members who were deleted. They are few, and the index of all attendances has no column for them.
    select former.cell_id, former.date, 0, 0, 1, null, false, 0
    from cell_attendances former
    join period on period.cell_id = former.cell_id and period.person_id = former.membership_id
      and former.date >= period.since and (period.until is null or former.date < period.until)
    where former.account_id = in_account and former.membership_id is not null and former.cell_id = any(in_cells)
      and was_present(former.status) and former.date between first_day and cell_week_counts.last_day
    union all
    select meeting.cell_id, meeting.date, 0, 0, 0, meeting.status, meeting.submitted_at is not null, meeting.visitors_count
    from cell_meetings meeting
    where meeting.account_id = in_account and meeting.cell_id = any(in_cells)
      and meeting.date between first_day and cell_week_counts.last_day
  ),
  -- A cell has one meeting on a day.
  meeting as (
    select change.cell_id, change.day, max(change.status) as status, bool_or(change.is_submitted) as is_submitted,
      max(change.visitors) as visitors, max(change.present) as present, sum(change.members_present) as members_present,
      (sum(sum(change.members)::integer) over (partition by change.cell_id order by change.day))::integer as members
    from change
    group by change.cell_id, change.day
  )
  select meeting.cell_id, week_of(meeting.day, (select first_weekday from account_facts where account_id = in_account)),
    count(*) filter (where status <> 'cancelled'),
    count(*) filter (where is_submitted),
    count(*) filter (where status = 'held'),
    coalesce(sum(present) filter (where status = 'held'), 0),
    coalesce(sum(visitors) filter (where status = 'held'), 0),
    max(members) filter (where status = 'held'),
    sum(members) filter (where status = 'held'),
    sum(members_present) filter (where status = 'held')
  from meeting
  where meeting.status is not null
  group by 1, 2;
end;

-- The held meetings without a row of a member, as rows of `cell_attendances` with an id for people (`added_id`). A member who has no row
-- was absent, like one with a row that says so. Leaders tick only the people who came. Memberships that overlap count a
-- meeting once. The view reads memberships and no periods, because PostgreSQL would collect the periods of the account.
create or replace view missed_attendances as
  select membership.account_id, md5(concat(meeting.id, membership.person_id))::uuid as id, meeting.version,
    meeting.created_at, meeting.modified_at, null::uuid as created_by, null::uuid as modified_by, meeting.id as meeting_id,
    meeting.cell_id, membership.person_id, meeting.date, 'missed' as status, false as is_visitor, false as first_time,
    null as note, membership.id as membership_id, concat(meeting.id, '.', membership.person_id) as added_id
  from cell_memberships membership
  join cell_meetings meeting on meeting.account_id = membership.account_id and meeting.cell_id = membership.cell_id
    and meeting.status = 'held' and was_membership(membership, meeting.date)
  where not exists (
      select from cell_memberships other
      where other.account_id = membership.account_id and other.person_id = membership.person_id
        and other.cell_id = membership.cell_id and other.id < membership.id and was_membership(other, meeting.date))
    and not exists (
      select from cell_attendances present
      where present.account_id = membership.account_id and present.meeting_id = meeting.id
        and present.person_id = membership.person_id);

-- The dates after a given one on which a person was absent.
create or replace function absences_of(in_account uuid, of_person uuid, after date) returns setof date
  language sql stable parallel safe
  begin atomic
    select date from cell_attendances
    where account_id = in_account and person_id = of_person and status = 'absent' and date > after
    union all
    select date from missed_attendances
    where account_id = in_account and person_id = of_person and date > after;
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
