-- PostgreSQL reads a trigger's condition anew for each statement, as text, before it looks at a row. A trigger of these columns
-- is passed over by a statement that sets none of them; of a generated one, by a statement that sets nothing it is made of.
drop trigger note_changed on people;
create trigger note_changed
  after update of name_folded, search_folded, email, phones, membership_status, is_active, sex, is_baptized, birthday,
    administrative_status, custom_properties on people for each row
  when ((old.name_folded, old.search_folded, old.email, old.phones, old.membership_status, old.is_active, old.sex,
      old.is_baptized, old.birthday, old.administrative_status, old.custom_properties)
    is distinct from (new.name_folded, new.search_folded, new.email, new.phones, new.membership_status, new.is_active,
      new.sex, new.is_baptized, new.birthday, new.administrative_status, new.custom_properties))
  execute function note_change('people');

drop trigger note_changed on courses;
create trigger note_changed after update of name_folded, is_active, is_public, category, custom_properties
  on courses for each row
  when ((old.name_folded, old.is_active, old.is_public, old.category, old.custom_properties)
    is distinct from (new.name_folded, new.is_active, new.is_public, new.category, new.custom_properties))
  execute function note_change('courses');

drop trigger note_changed on course_enrollments;
create trigger note_changed after update of course_id, class_id, person_id, status on course_enrollments for each row
  when ((old.course_id, old.class_id, old.person_id, old.status)
    is distinct from (new.course_id, new.class_id, new.person_id, new.status))
  execute function note_change('course_enrollments');

drop trigger note_changed on cell_memberships;
create trigger note_changed after update of cell_id, person_id, cell_role, status on cell_memberships for each row
  when ((old.cell_id, old.person_id, old.cell_role, old.status)
    is distinct from (new.cell_id, new.person_id, new.cell_role, new.status))
  execute function note_change('cell_memberships');

drop trigger note_changed on role_assignments;
create trigger note_changed after update of person_id, role_id, scope_type on role_assignments for each row
  when ((old.person_id, old.role_id, old.scope_type) is distinct from (new.person_id, new.role_id, new.scope_type))
  execute function note_change('role_assignments');
