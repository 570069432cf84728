-- The journal. A trigger on each table of a type writes it when the transaction commits, so that no write can forget it and
-- the head of the account is locked only for the commit itself.
-- `vestry.write` has the author of the transaction (`events/author.ts`). Without it, the service itself writes.

-- The position of the next row of this transaction. `vestry.journal_moment` has the account, the digits with which its positions begin,
-- and the number of its rows. The first row takes a moment that is later than all before, and other transactions of the account
-- then wait until this one has ended.
create or replace function journal_position(in_account uuid) returns uuid language plpgsql as $$
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
end $$;

create or replace function last_change_of(in_account uuid) returns timestamptz language sql stable parallel safe
  return (select to_timestamp(moment / 1000) from journal_heads where account_id = in_account);

-- The part of the changes that is kept: at most 64 KiB. The longest values are omitted first.
create or replace function journal_within(inout changes jsonb, out omitted text[]) language plpgsql immutable as $$
declare
  longest text;
begin
  omitted := '{}';
  while octet_length(changes::text) > 65536 loop
    select key into longest from jsonb_each(changes) order by octet_length(value::text) desc limit 1;
    changes := changes - longest;
    omitted := omitted || longest;
  end loop;
end $$;

-- Two changes of one row in one transaction: the value before the first, and that after the second. Links
-- show the removed and the added ones.
create or replace function journal_both(earlier jsonb, later jsonb, are_links boolean) returns jsonb language sql immutable
  return (
    select coalesce(jsonb_object_agg(member, jsonb_build_object('from', was, 'to', becomes)), '{}')
    from (
      select coalesce(first.key, second.key) as member,
        case when first.value is null then second.value -> 'from'
          when second.value is null or not are_links then first.value -> 'from'
          else (first.value -> 'from') || (second.value -> 'from') end as was,
        case when second.value is null then first.value -> 'to'
          when first.value is null or not are_links then second.value -> 'to'
          else (first.value -> 'to') || (second.value -> 'to') end as becomes
      from jsonb_each(earlier) first full join jsonb_each(later) second on second.key = first.key
    ) either where was is distinct from becomes);

-- The action of two that says more. A resource that is deleted takes its rights along.
create or replace function journal_action(one text, other text) returns text language sql immutable
  return (
    select action from unnest(array[
      'merged', 'deleted', 'permission-changed', 'password-changed', 'login-failed', 'logged-in', 'created', 'updated'
    ]) with ordinality as known (action, rank)
    where action in (one, other) order by rank limit 1);

-- Adds to the row of the same resource that this transaction has added before, and says whether there is one.
-- A plan for the values of one call would read all rows of the transaction: the statistics know of no rows after its moment.
create or replace function journal_join(
  in_account uuid, of_type text, of_id uuid, done text, told text, differences jsonb,
  about uuid, at_places uuid[], kept uuid, are_links boolean
) returns boolean language plpgsql set plan_cache_mode = force_generic_plan as $$
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
end $$;

-- Adds a row, or adds to the row of the same resource in this transaction. A row that only follows from the write of another
-- type has no entry.
create or replace function journal_add(
  in_account uuid, of_type text, of_id uuid, done text, told text, differences jsonb default '{}',
  about uuid default null, at_places uuid[] default null, kept uuid default null, are_links boolean default false
) returns void language plpgsql as $$
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
end $$;

-- The custom fields that a change of a row has changed. The values of those with an access of their own are not kept.
create or replace function journal_custom_changes(in_account uuid, of_type text, before jsonb, after jsonb) returns jsonb
  language plpgsql stable as $$
begin
  return coalesce((
    select jsonb_object_agg('custom-properties.' || key, case when is_open_custom_field(in_account, of_type, key)
      then jsonb_build_object('from', coalesce(was.value, 'null'), 'to', coalesce(becomes.value, 'null'))
      else jsonb_build_object('from', '[redacted]', 'to', '[redacted]') end)
    from jsonb_each(before) was full join jsonb_each(after) becomes using (key)
    where was.value is distinct from becomes.value), '{}');
end $$;

-- No entry about a person keeps a value, or the network address of a log-in.
create or replace function journal_forget(in_account uuid, person uuid) returns void language plpgsql as $$
begin
  update journal set changes = '{}', omitted = null, ip = case when actor_id = person then null else ip end
    where account_id = in_account and (resource_id = person or subject_id = person and subject_id <> resource_id);
end $$;

-- No list has an anonymized person any more. The rows that name the person stay, so the record has left, and is not deleted.
create or replace function journal_anonymized(in_account uuid, person uuid) returns void language plpgsql as $$
begin
  perform journal_forget(in_account, person);
  perform journal_add(in_account, 'people', person, 'left', null, '{}', person);
end $$;

-- A person was deleted, or merged into another one, who keeps the entries.
create or replace function journal_person_gone(in_account uuid, person uuid) returns void language plpgsql as $$
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
end $$;

-- The merge is an entry of the person who is kept.
create or replace function journal_merge(in_account uuid, kept uuid, merge uuid) returns void language plpgsql as $$
begin
  perform journal_add(in_account, 'people', kept, 'updated', 'merged',
    jsonb_build_object('merged-ids', jsonb_build_object('from', '[]'::jsonb, 'to', (
      select jsonb_agg(id) from merged_people where account_id = in_account and merge_id = merge))), kept);
end $$;

-- Makes the trigger of a table, or replaces one that runs another function.
create or replace function journal_follow(on_table text, name text, events text, runs text) returns void
  language plpgsql as $$
declare
  present text := (select tgfoid::regproc from pg_trigger where tgrelid = on_table::regclass and tgname = name);
begin
  if present = runs then return; end if;
  if present is not null then execute format('drop trigger %I on %I', name, on_table); end if;
  execute format(
    'create constraint trigger %I after %s on %I deferrable initially deferred for each row'
    || ' when (current_setting(''vestry.journal'', true) is distinct from ''off'') execute function %I()',
    name, events, on_table, runs);
end $$;
