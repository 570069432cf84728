-- The people of each person's households, the person included. A restricted person sees the names of the others
-- and no more.
create or replace view household_companions as
  select own.account_id, own.person_id, companion.person_id as companion_id, companion.id as membership_id,
    own.may_pick_up
  from household_memberships own
  join household_memberships companion
    on companion.account_id = own.account_id and companion.household_id = own.household_id;
