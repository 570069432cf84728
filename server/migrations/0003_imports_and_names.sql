-- Each word of a name is a key with the birthdate, and particles are none. The keys that people have are made again.
delete from person_match_keys where reason in ('name-birthdate', 'name-address');

insert into person_match_keys (account_id, key, person_id, reason)
select account_id, md5(reason || ' ' || value)::uuid, id, reason
from people
cross join lateral (
  select coalesce(
    array_agg(distinct word collate "C") filter (where word <> all (array['d', 'da', 'das', 'de', 'del', 'della', 'den', 'der',
      'di', 'do', 'dos', 'du', 'e', 'el', 'la', 'las', 'los', 'ter', 'van', 'von', 'y', 'zu', 'zur'])),
    array_agg(distinct word collate "C"),
    '{}') as words
  from regexp_split_to_table(fold(full_name), '[\s''’.-]+') as word
  where word <> ''
) names
cross join lateral (
  select 'name-birthdate' as reason, concat_ws(' ', word, birthdate) as value
  from unnest(words) word where birthdate is not null
  union
  select 'name-address',
    concat_ws(' ', array_to_string(words, ' '), fold(btrim(address ->> 'street')), fold(btrim(address ->> 'number')))
  where btrim(address ->> 'street') <> '' and btrim(address ->> 'number') <> ''
) compared
where value is not null;

alter table import_jobs
  add column value_mapping jsonb not null default '{}',
  add column blank_values jsonb not null default '["-", "n/a", "não tem", "00/00/0000"]',
  add column country text,
  add column default_area_code text,
  add column household_key text,
  -- The headers and the encoding of the file, in which rows with errors are returned.
  add column headers jsonb,
  add column file_encoding text,
  alter column counts set default
    '{"rows": 0, "create": 0, "update": 0, "skip": 0, "error": 0, "written": 0, "undone": 0, "kept": 0, "by-column": {}}';

update import_jobs set counts = counts || '{"by-column": {}}';

-- `cells` is the row as the file has it. It is kept until the row is written.
alter table import_rows
  add column warnings jsonb not null default '[]',
  add column cells jsonb;

-- Tells families of one name apart, in the words of the file that brought them.
alter table households add column family_key text;
