-- The memberships of a deleted person stay without the person, so that the numbers of past weeks do not change.
alter table cell_memberships alter column person_id drop not null;
alter table cell_memberships
  drop constraint cell_memberships_person_fkey,
  add constraint cell_memberships_person_fkey foreign key (account_id, person_id) references people (account_id, id)
    on delete set null (person_id);

-- The membership to which the attendance of a deleted person belongs. It is null for everybody else.
alter table cell_attendances add column membership_id uuid;
alter table cell_attendances
  add constraint cell_attendances_membership_fkey foreign key (account_id, membership_id)
    references cell_memberships (account_id, id) on delete set null (membership_id);
create index cell_attendances_by_membership on cell_attendances (account_id, membership_id) where membership_id is not null;
