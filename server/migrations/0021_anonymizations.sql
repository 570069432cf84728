-- People without identity. Their rows stay, so that memberships, attendances and enrollments can name them.
alter table people add column is_anonymized boolean not null default false;

-- Lists leave these people out, so the index that counts them has the column.
create index people_by_name_now on people (account_id, name_folded, id)
  include (membership_status, is_active, sex, is_baptized, birthdate, birthday, is_anonymized);
drop index people_by_name;
alter index people_by_name_now rename to people_by_name;

-- Nothing brings an identity back, whatever writes the row.
alter table people add constraint people_anonymized_is_empty check (
  not is_anonymized
  or not is_active and not has_login and administrative_status = 'none'
    and num_nonnulls(first_name, last_name, preferred_name, former_name, birthdate, birth_month_day, photo_id, email, address,
      emergency_contact, medical_notes) = 0
    and other_emails = '[]' and phones = '[]' and identity_documents = '[]' and custom_properties = '{}' and external_ids = '{}');

create table person_anonymizations (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),
  created_by uuid,
  modified_by uuid,
  person_id uuid not null,
  primary key (account_id, id),
  constraint person_anonymizations_person_fkey foreign key (account_id, person_id) references people (account_id, id)
    on delete cascade
);
create index person_anonymizations_by_person on person_anonymizations (account_id, person_id);

-- Types that left the catalog, because nothing sends them. An endpoint with these types alone keeps them and gets nothing, as before.
update webhook_endpoints set events = array(
    select one from unnest(events) with ordinality as named (one, place)
    where one <> all (array['certificate.issued', 'certificate.revoked', 'people-list.refreshed']) order by place)
  where events && array['certificate.issued', 'certificate.revoked', 'people-list.refreshed']
    and not events <@ array['certificate.issued', 'certificate.revoked', 'people-list.refreshed'];
