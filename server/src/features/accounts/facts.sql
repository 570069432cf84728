create or replace function time_zone_of(in_account uuid) returns text
  language sql stable parallel safe
  return coalesce((select settings ->> 'time-zone' from accounts where id = in_account), 'UTC');

-- The date in the time zone of the account.
create or replace function today_in(in_account uuid) returns date
  language sql stable parallel safe
  return (now() at time zone time_zone_of(in_account))::date;
