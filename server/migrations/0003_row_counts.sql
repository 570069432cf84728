-- How many rows a church has in each table whose list grows with it, kept by the database. `meta.total` of a list that
-- shows all of them is then the sum of a few numbers, and no longer the reading of an index from end to end.
--
-- One number for a church and table would make whoever adds a person wait until an import has committed. So there are
-- several, and their sum counts: a transaction changes one that nobody else is changing, and adds one where there is
-- none. It never waits here, so nobody waits in a circle either, and there are as many numbers as there were
-- transactions at once. They change with the rows, in the same transaction: whoever sees the rows sees the sum.
create table row_counts (
  account_id uuid not null references accounts (id) on delete cascade,
  table_name text not null,
  slot bigint not null generated always as identity,
  rows bigint not null,
  primary key (account_id, table_name, slot)
) with (fillfactor = 50);

-- The table is an argument: where tables are distributed, a trigger is on a piece of one that has another name.
create function count_rows() returns trigger language plpgsql as $$
declare
  church record;
begin
  for church in
    select account_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end as rows from changed group by account_id
  loop
    update row_counts set rows = rows + church.rows
    where account_id = church.account_id and table_name = tg_argv[0] and slot = (
      select slot from row_counts where account_id = church.account_id and table_name = tg_argv[0]
      -- The one it has changed before, so that no transaction holds two.
      order by xmin = pg_current_xact_id()::xid desc, slot
      limit 1 for update skip locked);
    -- Of a church that is being deleted nothing is counted any more.
    if not found then
      insert into row_counts (account_id, table_name, rows)
      select id, tg_argv[0], church.rows from accounts where id = church.account_id;
    end if;
  end loop;
  return null;
end $$;

create function forget_row_counts() returns trigger language plpgsql as $$
begin
  delete from row_counts where table_name = tg_argv[0];
  return null;
end $$;

-- Counts everything anew: what is there before the triggers are, and what was written past them.
create function recount_rows() returns void language plpgsql as $$
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
  end loop;
end $$;

do $$
declare
  counted name;
begin
  foreach counted in array
    array['people', 'role_assignments', 'courses', 'course_enrollments', 'cells', 'cell_memberships']
  loop
    execute format('create trigger count_inserted after insert on %I
      referencing new table as changed for each statement execute function count_rows(%L)', counted, counted);
    execute format('create trigger count_deleted after delete on %I
      referencing old table as changed for each statement execute function count_rows(%L)', counted, counted);
    execute format('create trigger count_truncated after truncate on %I
      for each statement execute function forget_row_counts(%L)', counted, counted);
  end loop;
  perform recount_rows();
end $$;
