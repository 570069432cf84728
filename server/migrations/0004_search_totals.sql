-- Totals of searches: counted from an index alone, and counted again only when something has changed.

-- What searches of people look at stands in the index of their names: a count reads it from end to end in a fifth of the
-- time it takes to visit a hundred thousand rows. An entry of an index has an end, and so the texts have one together.
alter table people add constraint people_search_size
  check (octet_length(name_folded) + octet_length(search_folded) <= 2500);
drop index people_by_name;
create index people_by_name on people (account_id, name_folded, id)
  include (search_folded, membership_status, is_active, sex, is_baptized, birthdate, birthday);
-- Where a page of the table has changed, an index alone does not say what is still there until it has been vacuumed.
alter table people set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Beside each number of row_counts stands the transaction that changed it last, and every transaction that changes what a
-- list may be filtered by changes one of them. So whoever finds the same transactions there as somebody before, sees the
-- same rows: what was counted then need not be counted again.
alter table row_counts add column changed_in text not null default '';

-- The number of a transaction, whichever savepoint it is in, and when it began: a database that was restored gives
-- numbers a second time, but not at the same time.
create function this_transaction() returns text
  language sql stable
  return pg_current_xact_id()::text || '@' || extract(epoch from now())::text;

-- A transaction leaves its name once, since nobody sees half of it: the second of a thousand rows writes nothing more.
create function change_row_count(church uuid, counted text, difference bigint) returns void language plpgsql as $$
declare
  mine text := this_transaction();
  free record;
begin
  select slot, changed_in into free from row_counts where account_id = church and table_name = counted
  -- The one it has changed before, so that no transaction holds two.
  order by changed_in = mine desc, slot
  limit 1 for update skip locked;
  if not found then
    -- Of a church that is being deleted nothing is counted any more.
    insert into row_counts (account_id, table_name, rows, changed_in)
    select id, counted, difference, mine from accounts where id = church;
  elsif difference <> 0 or free.changed_in <> mine then
    update row_counts set rows = rows + difference, changed_in = mine
    where account_id = church and table_name = counted and slot = free.slot;
  end if;
end $$;

create or replace function count_rows() returns trigger language plpgsql as $$
declare
  church record;
begin
  for church in
    select account_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end as rows from changed group by account_id
  loop
    perform change_row_count(church.account_id, tg_argv[0], church.rows);
  end loop;
  return null;
end $$;

-- For each row, since only then a trigger looks before it is called: most changes are of nothing that lists are filtered by,
-- and cost next to nothing here.
create function note_change() returns trigger language plpgsql as $$
begin
  perform change_row_count(new.account_id, tg_argv[0], 0);
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
      'insert into row_counts (account_id, table_name, rows, changed_in)
        select account_id, %L, count(*), this_transaction() from %I group by account_id',
      counted, counted);
  end loop;
end $$;

create trigger note_changed after update on people for each row
  when ((old.name_folded, old.search_folded, old.email, old.phones, old.membership_status, old.is_active, old.sex,
      old.is_baptized, old.birthday, old.administrative_status, old.custom_properties)
    is distinct from (new.name_folded, new.search_folded, new.email, new.phones, new.membership_status, new.is_active,
      new.sex, new.is_baptized, new.birthday, new.administrative_status, new.custom_properties))
  execute function note_change('people');
create trigger note_changed after update on courses for each row
  when ((old.name_folded, old.is_active, old.is_public, old.category, old.custom_properties)
    is distinct from (new.name_folded, new.is_active, new.is_public, new.category, new.custom_properties))
  execute function note_change('courses');
create trigger note_changed after update on course_enrollments for each row
  when ((old.course_id, old.class_id, old.person_id, old.status)
    is distinct from (new.course_id, new.class_id, new.person_id, new.status))
  execute function note_change('course_enrollments');
create trigger note_changed after update on cell_memberships for each row
  when ((old.cell_id, old.person_id, old.cell_role, old.status)
    is distinct from (new.cell_id, new.person_id, new.cell_role, new.status))
  execute function note_change('cell_memberships');
create trigger note_changed after update on role_assignments for each row
  when ((old.person_id, old.role_id, old.scope_type) is distinct from (new.person_id, new.role_id, new.scope_type))
  execute function note_change('role_assignments');
