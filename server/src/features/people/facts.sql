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

-- The words by which names are compared: without case, accents, order and the particles of surnames. A name of particles only
-- keeps them.
create or replace function name_words(name text) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(
      array_agg(distinct word collate "C") filter (where word <> all (array['d', 'da', 'das', 'de', 'del', 'della', 'den', 'der',
        'di', 'do', 'dos', 'du', 'e', 'el', 'la', 'las', 'los', 'ter', 'van', 'von', 'y', 'zu', 'zur'])),
      array_agg(distinct word collate "C"),
      '{}')
    from regexp_split_to_table(fold(name), '[\s''’.-]+') as word
    where word <> '');

-- Whether two people may share this name. It is the comparison of duplicates, and of people whom staff enroll by name.
create or replace function is_same_name(one text, other text) returns boolean
  language sql immutable parallel safe
  return name_words(one) = name_words(other);

create or replace function age_of(birthdate date) returns integer
  language sql stable parallel safe
  return extract(year from age(birthdate))::integer;

-- Null without a birthdate.
create or replace function is_child(birthdate date, age_limit integer) returns boolean
  language sql stable parallel safe
  return age_of(birthdate) < age_limit;

-- The people as other features see them. Columns that a statement does not select cost nothing. The public name is null for
-- children and for people who are not active.
create or replace view person_facts as
  select account_id, person_id, full_name, name_folded, called_name, letter_name, email, phones, locale, membership_status,
    is_baptized, is_active, administrative_status, has_login, age, is_child,
    case when is_active and deathdate is null and is_child is not true then called_name end as public_name,
    email_set_by, is_anonymized
  from (
    select account_id, id as person_id, full_name, name_folded,
      coalesce(preferred_name, first_name, substring(full_name from '\S+')) as called_name,
      -- The name in letters of the service.
      coalesce(preferred_name, first_name, full_name) as letter_name,
      email, email_set_by, phones, locale, membership_status, is_baptized, is_active, deathdate, administrative_status, has_login,
      is_anonymized,
      age_of(birthdate) as age,
      is_child(birthdate, (select child_age_limit from account_facts account where account.account_id = people.account_id))
        as is_child
    from people
  ) person;

create or replace view person_duplicate_people as
  select account_id, id as duplicate_id, person_id from person_duplicates
  union all
  select account_id, id, other_id from person_duplicates;

-- The person to whom the id of a removed person leads.
create or replace view merged_people as
  select removed.account_id, removed.removed_id as id, merge.kept_id, merge.created_at as merged_at, merge.id as merge_id
  from person_merge_removed removed
  join person_merges merge on merge.account_id = removed.account_id and merge.id = removed.merge_id;

-- The people for whom ids in documents stand: those who were kept for merged ones, and none for anonymized ones.
create or replace view resolved_people as
  select account_id, id, kept_id, merged_at as resolved_at from merged_people
  union all
  select account_id, id, null, 'infinity' from people where is_anonymized;

-- Fails like a foreign key if one of the people was anonymized. A transaction runs it with its commit, when it has locked them.
create or replace function refuse_anonymized(in_account uuid, people uuid[]) returns void language plpgsql stable as $$
begin
  if exists (select from people person where person.account_id = in_account and person.id = any(people) and person.is_anonymized) then
    raise foreign_key_violation using message = 'An anonymized person was named.',
      constraint = 'person_anonymizations_person_fkey';
  end if;
end $$;

-- Prospects, and the people who created their records.
create or replace view prospects as
  select account_id, id as person_id, created_by from people where membership_status = 'prospect';

-- The members of a person that differ from the given values, as `{member: {from, to}}`. A telephone number or an e-mail
-- address is new if the person does not have it among others. Custom fields that not every reader may read are left out.
create or replace function person_changes(in_account uuid, of_person uuid, given jsonb) returns jsonb
  language sql stable parallel safe
  return (
    select jsonb_object_agg(change.member, jsonb_build_object('from', change.present, 'to', change.value))
    from people person
    cross join lateral (
      select key as member, value, case key
        when 'full-name' then to_jsonb(person.full_name)
        when 'first-name' then to_jsonb(coalesce(person.first_name, substring(person.full_name from '\S+')))
        when 'last-name'
          then to_jsonb(coalesce(person.last_name, substring(person.full_name from '\S.*\s(\S+)\s*$')))
        when 'preferred-name' then to_jsonb(person.preferred_name)
        when 'sex' then to_jsonb(person.sex)
        when 'birthdate' then to_jsonb(person.birthdate)
        when 'email' then to_jsonb(person.email)
        when 'phone' then person.phones -> 0 -> 'number'
        when 'address' then person.address
        when 'marital-status' then to_jsonb(person.marital_status)
        when 'occupation' then to_jsonb(person.occupation)
        when 'previous-church' then to_jsonb(person.previous_church)
        else person.custom_properties -> substring(key from '^custom-properties\.(.*)$')
      end as present
      from jsonb_each(given)
    ) change
    where person.account_id = in_account and person.id = of_person
      and change.value is distinct from coalesce(change.present, 'null')
      and case change.member
        when 'phone' then not exists (
          select from jsonb_array_elements(person.phones) as known where known -> 'number' = change.value)
        when 'email' then lower(change.value #>> '{}') not in (
          select lower(mail) from (
            select coalesce(person.email, '') union all select jsonb_array_elements_text(person.other_emails)) as all_of (mail))
        else change.member not like 'custom-properties.%'
          or is_open_custom_field(in_account, 'people', substring(change.member from '^custom-properties\.(.*)$'))
      end);
