-- The journal. A trigger on each table of a type writes it when the transaction commits, so that no write can forget it and
-- the head of the account is locked only for the commit itself.
-- `vestry.write` has the author of the transaction (`events/author.ts`). Without it, the service itself writes.

-- The moment of this transaction: the account, the digits with which its positions begin, and the number of its rows. The first
-- row takes a moment that is later than all before, and other transactions of the account then wait until this one has ended.
create or replace function journal_moment(in_account uuid) returns text[] language plpgsql as $$
declare
  held text[] := string_to_array(current_setting('vestry.journal_moment', true), ' ');
  milliseconds numeric := extract(epoch from now()) * 1000;
  own bigint;
begin
  if held[1] = in_account::text then return held; end if;
  update journal_heads set moment = greatest(moment + 1, floor(milliseconds)::bigint)
    where account_id = in_account returning moment into own;
  if own is null then
    insert into journal_heads as head (account_id, moment)
      values (in_account, floor(milliseconds)::bigint)
      on conflict (account_id) do update set moment = greatest(head.moment + 1, excluded.moment)
      returning moment into own;
  end if;
  -- The fraction of the millisecond tells a transaction after a restore from one before it.
  return array[in_account::text,
    lpad(to_hex(own), 12, '0') || '7' || lpad(to_hex(floor(mod(milliseconds, 1) * 4096)::integer), 3, '0') || '8', '0'];
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

-- The action of two that says more.
create or replace function journal_action(one text, other text) returns text language sql immutable
  return (
    select action from unnest(array[
      'merged', 'permission-changed', 'password-changed', 'login-failed', 'logged-in', 'deleted', 'created', 'updated'
    ]) with ordinality as known (action, rank)
    where action in (one, other) order by rank limit 1);

-- Adds a row, or adds to the row of the same resource in this transaction. A row that only follows from the write of another
-- type has no entry.
-- A plan for the values of one call would read all rows of the transaction: the statistics know of no rows after its moment.
create or replace function journal_add(
  in_account uuid, of_type text, of_id uuid, done text, told text, differences jsonb default '{}',
  about uuid default null, at_places uuid[] default null, kept uuid default null, are_links boolean default false
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  author jsonb := nullif(current_setting('vestry.write', true), '')::jsonb;
  moment text[] := journal_moment(in_account);
  own_entry text := case
    when told in ('created', 'updated', 'deleted', 'permission-changed') and author ->> 'type' <> of_type then null
    else told end;
  held journal;
  omitting text[];
begin
  if moment[3] <> '0' then
    select * into held from journal
      where account_id = in_account and resource_id = of_id and resource_type = of_type
        and id >= (moment[2] || '000000000000000')::uuid;
  end if;
  if held.id is not null then
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
      action = case when done in ('deleted', 'merged') or action is null then done else action end,
      entry = own_entry,
      changes = differences,
      omitted = omitting,
      subject_id = coalesce(about, subject_id),
      places = case when at_places <@ places then places else coalesce(places, '{}') || at_places end,
      merged_into = coalesce(kept, merged_into)
    where account_id = in_account and id = held.id;
    return;
  end if;
  if octet_length(differences::text) > 65536 then
    select * into differences, omitting from journal_within(differences);
  end if;
  insert into journal (account_id, id, occurred_at, action, entry, resource_type, resource_id, subject_id, places,
    merged_into, changes, omitted, actor_id, cause, request_id, integration_id, batch_id, ip)
  values (in_account,
    -- The last four digits are free for rows that a reader derives from this one.
    (moment[2] || lpad(to_hex(moment[3]::bigint), 11, '0') || '0000')::uuid,
    date_trunc('milliseconds', now()), done, own_entry, of_type, of_id, about, at_places, kept,
    differences, omitting, (author ->> 'actor')::uuid, coalesce(author ->> 'cause', 'system'),
    (author ->> 'request')::uuid, (author ->> 'integration')::uuid, (author ->> 'batch')::uuid, (author ->> 'ip')::inet);
  moment[3] := (moment[3]::bigint + 1)::text;
  perform set_config('vestry.journal_moment', array_to_string(moment, ' '), true);
end $$;

-- Whether a row gives rights by one of its columns: with any value, or with those of the list.
create or replace function journal_gives_rights(version jsonb, by_column jsonb) returns boolean language sql immutable
  return exists (
    select from jsonb_each(by_column) where value = 'null' or value ? (version ->> key));

-- A row of a type. The arguments, which `journal.sql` states: the type, the column with the person, the columns with places, the
-- member of each column, the redacted columns, the rows that give rights, and the columns whose change is one of permissions.
create or replace function journal_row() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  present jsonb := coalesce(after, before);
  of_account uuid := coalesce(present ->> 'account_id', present ->> 'id');
  of_type text := tg_argv[0];
  about uuid := present ->> tg_argv[1];
  at_places uuid[];
  done text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
  told text := done;
  kept uuid;
  differences jsonb := '{}';
  members jsonb;
  redacted text[];
begin
  if tg_op = 'UPDATE' and after ->> 'status' = 'deleted' then
    -- The history of an endpoint still names it.
    if before ->> 'status' = 'deleted' then return null; end if;
    done := 'deleted';
    told := done;
  elsif tg_op = 'UPDATE' then
    -- A change that a reader sees has a new version.
    if before -> 'version' = after -> 'version' then return null; end if;
    -- Here, and not in functions of SQL: their plans would be made for each transaction.
    members := tg_argv[3];
    redacted := tg_argv[4];
    differences := coalesce((
      select jsonb_object_agg(members ->> key, case when key = any(redacted)
        then jsonb_build_object('from', '[redacted]', 'to', '[redacted]')
        else jsonb_build_object('from', value, 'to', after -> key) end)
      from jsonb_each(before)
      where value is distinct from after -> key and members ? key and members ->> key <> 'custom-properties.*'), '{}');
    if before -> 'custom_properties' <> after -> 'custom_properties' and members ->> 'custom_properties' = 'custom-properties.*' then
      differences := differences || coalesce((
        select jsonb_object_agg('custom-properties.' || key, case when is_open_custom_field(of_account, of_type, key)
          then jsonb_build_object('from', coalesce(was.value, 'null'), 'to', coalesce(becomes.value, 'null'))
          else jsonb_build_object('from', '[redacted]', 'to', '[redacted]') end)
        from jsonb_each(before -> 'custom_properties') was
        full join jsonb_each(after -> 'custom_properties') becomes using (key)
        where was.value is distinct from becomes.value), '{}');
    end if;
  end if;
  if tg_argv[2] <> '{}' then
    at_places := array(
      select distinct (version ->> name)::uuid from unnest(tg_argv[2]::text[]) name cross join unnest(array[before, after]) version
      where version ->> name is not null);
  end if;
  if tg_op = 'UPDATE' and tg_argv[6] <> '{}' and exists (
      select from unnest(tg_argv[6]::text[]) name where before -> name is distinct from after -> name)
    or tg_argv[5] <> '{}' and exists (
      select from unnest(array[before, after]) version where journal_gives_rights(version, tg_argv[5]::jsonb))
  then
    told := 'permission-changed';
  end if;
  if of_type = 'people' and tg_op = 'DELETE' then
    kept := (select kept_id from merged_people where account_id = of_account and id = about);
    if kept is not null then
      done := 'merged';
      told := null;
      update journal set subject_id = kept
        where account_id = of_account and (resource_id = about or subject_id = about and subject_id <> resource_id);
    else
      update journal set changes = '{}', omitted = null
        where account_id = of_account and (resource_id = about or subject_id = about and subject_id <> resource_id);
    end if;
  elsif of_type = 'person-merges' and tg_op = 'INSERT' then
    told := null;
    kept := (present ->> 'kept_id')::uuid;
    perform journal_add(of_account, 'people', kept, 'updated', 'merged',
      jsonb_build_object('merged-ids', jsonb_build_object('from', '[]'::jsonb, 'to', (
        select jsonb_agg(id) from merged_people
        where account_id = of_account and merge_id = (present ->> 'id')::uuid))), kept);
    kept := null;
  end if;
  perform journal_add(of_account, of_type, (present ->> 'id')::uuid, done, told, differences, about, at_places, kept);
  return null;
end $$;

-- A link to another resource, which is a change of its owner. The arguments: the type of the owner, its column, the column of the
-- target, the name of the relationship, whether the owner is a person and a place, and whether the link gives rights.
create or replace function journal_link() returns trigger language plpgsql as $$
declare
  present jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  owner uuid := present ->> tg_argv[1];
  target jsonb := jsonb_build_array(present -> tg_argv[2]);
begin
  perform journal_add((present ->> 'account_id')::uuid, tg_argv[0], owner, 'updated',
    case tg_argv[6] when 'true' then 'permission-changed' else 'updated' end,
    jsonb_build_object(tg_argv[3], jsonb_build_object(
      'from', case tg_op when 'DELETE' then target else '[]' end,
      'to', case tg_op when 'DELETE' then '[]' else target end)),
    case tg_argv[4] when 'true' then owner end,
    case tg_argv[5] when 'true' then array[owner] end, are_links => true);
  return null;
end $$;

-- Makes the trigger of a table, or replaces one with other arguments.
create or replace function journal_follow(on_table text, name text, runs text, variadic arguments text[]) returns void
  language plpgsql as $$
declare
  wanted text := (select string_agg(argument || '\000', '' order by place)
    from unnest(arguments) with ordinality as one (argument, place));
  present text := (select encode(tgargs, 'escape') from pg_trigger where tgrelid = on_table::regclass and tgname = name);
begin
  if present = wanted then return; end if;
  if present is not null then execute format('drop trigger %I on %I', name, on_table); end if;
  execute format(
    'create constraint trigger %I after insert or %s delete on %I deferrable initially deferred for each row'
    || ' when (current_setting(''vestry.journal'', true) is distinct from ''off'') execute function %I(%s)',
    name, case runs when 'journal_row' then 'update or' else '' end, on_table, runs,
    (select string_agg(quote_literal(argument), ', ' order by place)
      from unnest(arguments) with ordinality as one (argument, place)));
end $$;
