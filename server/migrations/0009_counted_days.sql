-- What the deliveries of a day came to, for churches that have many. `meta.total` of a list is added up from days that are
-- over, and counted in the table only where somebody may still change it.
create table webhook_counted_days (
  -- No foreign key: whoever counts a church would wait for whoever deletes it, who waits for whoever counts.
  account_id uuid not null,
  -- Its beginning, UTC.
  day timestamptz(0) not null,
  -- Side by side: so many deliveries of this type to this endpoint have this status. Null: to be counted.
  endpoint_ids uuid[],
  event_types text[],
  statuses text[],
  deliveries integer[],
  primary key (account_id, day)
);

-- The beginning of the day in whose partition an id lies.
create function history_day(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  return to_timestamp(
    ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 86400000 * 86400);

-- Held by whoever counts a church and by whoever makes a count of it void, so that neither misses the other. Nobody waits in a
-- circle: who counts holds nothing else.
create function lock_counted_days(church uuid) returns void
  language sql volatile
  return pg_advisory_xact_lock(x'64617973'::integer, hashtext(church::text));

create function uncount_days(church uuid, changed timestamptz[]) returns void language plpgsql as $$
begin
  perform lock_counted_days(church);
  update webhook_counted_days set endpoint_ids = null, event_types = null, statuses = null, deliveries = null
  where account_id = church and day = any(changed) and deliveries is not null;
end $$;

-- Of a day that was counted every delivery has ended. What still comes to it is what is sent once more, and says so itself
-- (`queueRedeliveries`): a trigger would be looked at by every capture. What goes is what is forgotten.
create function uncount_deleted() returns trigger language plpgsql as $$
begin
  perform uncount_days(account_id, array_agg(distinct history_day(id))) from gone group by account_id;
  return null;
end $$;
create trigger uncount_deleted after delete on webhook_deliveries
  referencing old table as gone for each statement execute function uncount_deleted();
