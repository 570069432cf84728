-- The text in which a search box finds a person.
create or replace function person_search_text(full_name text, preferred_name text, email text, other_emails jsonb, phones jsonb)
  returns text
  language sql immutable parallel safe
  return fold(concat_ws(' ',
    full_name,
    preferred_name,
    email,
    (select string_agg(value, ' ') from jsonb_array_elements_text(other_emails) as value),
    (select string_agg(digits(phone ->> 'number'), ' ') from jsonb_array_elements(phones) as phone)));

-- The name of a person in the public area. Null for children and for people who are not active.
create or replace function public_name(in_account uuid, of_person uuid) returns text
  language sql stable parallel safe
  begin atomic
    select coalesce(preferred_name, first_name, substring(full_name from '\S+'))
    from people
    where account_id = in_account and id = of_person and is_active and deathdate is null
      and (extract(year from age(birthdate)) < coalesce(
        (select (settings ->> 'child-age-limit')::integer from accounts where id = in_account), 13)) is not true;
  end;

create or replace view person_duplicate_people as
  select account_id, id as duplicate_id, person_id from person_duplicates
  union all
  select account_id, id, other_id from person_duplicates;

-- The person to whom the id of a removed person leads.
create or replace view merged_people as
  select removed.account_id, removed.removed_id as id, merge.kept_id, merge.created_at as merged_at
  from person_merge_removed removed
  join person_merges merge on merge.account_id = removed.account_id and merge.id = removed.merge_id;
