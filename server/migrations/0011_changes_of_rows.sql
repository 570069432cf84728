-- breaking
-- Totals of searches follow what changes, and are not counted anew for each change.

-- What has changed of the rows that lists count: whoever remembers what a search found, and in which snapshot, looks at what
-- that snapshot does not show, as it was and as it is. A change that was not kept leaves a row without an id: what was found
-- before it is found again. What is removed from here leaves such a row, too, in the transaction that removes it: whoever
-- does not see that transaction sees its row, and whoever does saw all that it has removed.
create table row_changes (
  account_id uuid not null,
  table_name text not null,
  changed_in xid8 not null default pg_current_xact_id(),
  number bigint not null generated always as identity,
  -- The first, second, third … change of its transaction.
  nth smallint not null,
  id uuid,
  -- What searches look at, before the change; null of a row that was added.
  was jsonb,
  -- A database that was restored elsewhere counts its transactions from another number.
  server_started timestamptz not null default pg_postmaster_start_time(),
  changed_at timestamptz not null default now(),
  primary key (account_id, table_name, changed_in, number)
);

-- Keeps up to 200 changes of a transaction, and in place of all others a row without an id, as for what is given without one.
-- A plan that is made while the table is small must not read all of it when it has grown.
create function keep_change(church uuid, changed text, row_id uuid, was jsonb) returns void
language plpgsql set enable_seqscan = off as $$
declare
  last record;
  is_one_more boolean;
begin
  select id, nth into last from row_changes
  where account_id = church and table_name = changed and changed_in = pg_current_xact_id()
    and server_started = pg_postmaster_start_time()
  order by number desc
  limit 1;
  if found and last.id is null then
    return;
  end if;
  is_one_more := coalesce(last.nth, 0) < 200;
  insert into row_changes (account_id, table_name, nth, id, was)
  values (church, changed, coalesce(last.nth, 0) + 1, case when is_one_more then row_id end,
    case when is_one_more then was end);
end $$;

-- Whoever is removing one of them just now leaves a row without an id as well.
create function forget_changes(church uuid, changed text) returns bigint
language plpgsql set enable_seqscan = off as $$
declare
  gone bigint;
begin
  delete from row_changes where ctid = any(array(
    select ctid from row_changes where account_id = church and table_name = changed for update skip locked));
  get diagnostics gone = row_count;
  -- Of a church that is being deleted nothing is remembered any more.
  perform keep_change(id, changed, null, null) from accounts where id = church;
  return gone;
end $$;

-- A church may be put back, with the id that it had: what was remembered of it before is of other rows.
create function begin_row_changes() returns trigger language plpgsql as $$
begin
  perform keep_change(new.id, relname, null, null) from pg_class
  where oid in (select tgrelid from pg_trigger where tgfoid = 'count_rows'::regproc);
  return null;
end $$;
create trigger row_changes_begun after insert on accounts for each row execute function begin_row_changes();

create function end_row_changes() returns trigger language plpgsql as $$
begin
  delete from row_changes where account_id = old.id;
  return null;
end $$;
create trigger row_changes_ended after delete on accounts for each row execute function end_row_changes();

alter table row_counts drop column changed_in;
alter table row_counts add column changed_in xid8 not null default '0';
drop function this_transaction();

create or replace function change_row_count(church uuid, counted text, difference bigint) returns void language plpgsql as $$
declare
  free bigint;
begin
  select slot into free from row_counts where account_id = church and table_name = counted
  -- The one it has changed before, so that no transaction holds two.
  order by changed_in = pg_current_xact_id() desc, slot
  limit 1 for update skip locked;
  if found then
    update row_counts set rows = rows + difference, changed_in = pg_current_xact_id()
    where account_id = church and table_name = counted and slot = free;
  else
    -- Of a church that is being deleted nothing is counted any more.
    insert into row_counts (account_id, table_name, rows, changed_in)
    select id, counted, difference, pg_current_xact_id() from accounts where id = church;
  end if;
end $$;

create or replace function count_rows() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  church record;
  without record;
begin
  for church in select account_id, count(*) as rows from changed group by account_id loop
    perform change_row_count(church.account_id, tg_argv[0], case tg_op when 'INSERT' then church.rows else -church.rows end);
    if tg_op = 'DELETE' and church.rows > 200 then
      perform forget_changes(church.account_id, tg_argv[0]);
    elsif tg_op = 'DELETE' then
      -- Of what was deleted nothing is kept here either, whoever else is removing it and may give that up; nor is what named
      -- somebody who was deleted.
      for without in
        with gone as (
          delete from row_changes kept
          where kept.account_id = church.account_id and exists (
            select from changed where changed.account_id = church.account_id
              and (kept.table_name = tg_argv[0] and kept.id = changed.id
                or tg_argv[0] = 'people' and kept.was::text like '%' || changed.id || '%'))
          returning table_name
        )
        select table_name as name from gone union select tg_argv[0]
      loop
        perform keep_change(id, without.name, null, null) from accounts where id = church.account_id;
      end loop;
    elsif church.rows > 200 then
      perform keep_change(church.account_id, tg_argv[0], null, null);
    else
      perform keep_change(account_id, tg_argv[0], id, null) from changed where account_id = church.account_id;
    end if;
  end loop;
  return null;
end $$;

create function forget_all_changes(counted text) returns void language sql as $$
  delete from row_changes where table_name = counted;
  insert into row_changes (account_id, table_name, nth) select id, counted, 1 from accounts;
$$;

create or replace function forget_row_counts() returns trigger language plpgsql as $$
begin
  delete from row_counts where table_name = tg_argv[0];
  perform forget_all_changes(tg_argv[0]);
  return null;
end $$;

create or replace function recount_rows() returns void language plpgsql as $$
declare
  counted name;
begin
  for counted in
    select relname from pg_class where oid in (select tgrelid from pg_trigger where tgfoid = 'count_rows'::regproc)
    order by oid
  loop
    execute format('lock table %I in share row exclusive mode', counted);
    delete from row_counts where table_name = counted;
    execute format(
      'insert into row_counts (account_id, table_name, rows) select account_id, %L, count(*) from %I group by account_id',
      counted, counted);
    perform forget_all_changes(counted);
  end loop;
end $$;

-- For each table a function of its own, and a trigger that is passed over by what changes none of these columns (0007).
do $$
declare
  noted record;
begin
  for noted in
    select name, columns, array(select format('old.%I', c) from unnest(columns) c) as old,
      array(select format('new.%I', c) from unnest(columns) c) as new,
      array(select format('%1$L, old.%1$I', c) from unnest(array['account_id', 'id'] || columns) c) as pairs
    from (values
      ('people', array['name_folded', 'search_folded', 'email', 'phones', 'membership_status', 'is_active', 'sex',
        'is_baptized', 'birthday', 'administrative_status', 'custom_properties']),
      ('courses', array['name_folded', 'is_active', 'is_public', 'category', 'custom_properties']),
      ('course_enrollments', array['course_id', 'class_id', 'person_id', 'status']),
      ('cell_memberships', array['cell_id', 'person_id', 'cell_role', 'status']),
      ('role_assignments', array['person_id', 'role_id', 'scope_type'])) as noted (name, columns)
  loop
    execute format('drop trigger note_changed on %I', noted.name);
    execute format(
      'create function %I() returns trigger language plpgsql as $f$
        begin
          perform keep_change(old.account_id, %L, old.id, jsonb_build_object(%s));
          return null;
        end $f$',
      'note_changed_' || noted.name, noted.name, array_to_string(noted.pairs, ', '));
    execute format(
      'create trigger note_changed after update of %s on %I for each row when ((%s) is distinct from (%s))
        execute function %I()',
      array_to_string(noted.columns, ', '), noted.name, array_to_string(noted.old, ', '),
      array_to_string(noted.new, ', '), 'note_changed_' || noted.name);
  end loop;
end $$;
drop function note_change();
