-- The people through whose link or address the password was last set. Empty if the person or the operator set it, and for passwords
-- from before this column.
alter table person_credentials add column link_makers uuid[] not null default '{}';
