-- The person who last wrote or confirmed the e-mail address. Null for an address from before this column, or that no person of the
-- account wrote. It has no foreign key, like the authors of records: a person who is gone holds no rights.
alter table people add column email_set_by uuid;
