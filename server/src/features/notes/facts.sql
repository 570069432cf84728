-- The cells through which a scope reaches a note: its place, whatever cells the person is in now. A note without a place is reached
-- through the cell it is about, and through the cells of the person it is about.
create or replace view note_cells as
  select account_id, id as note_id, place_id as cell_id, visibility from notes where place_id is not null
  union all
  select account_id, id, about_cell_id, visibility from notes where about_cell_id is not null and place_id is null
  union all
  select note.account_id, note.id, membership.cell_id, note.visibility from notes note
  join active_cell_memberships membership on membership.account_id = note.account_id
    and membership.person_id = note.about_person_id
  where note.place_id is null;

-- The courses and classes through which a scope reaches a note: those of its place. A note without a place is reached by neither.
create or replace view note_courses as
  select note.account_id, note.id as note_id, class.course_id, class.class_id, note.visibility from notes note
  join courses_of_classes class on class.account_id = note.account_id and class.class_id = note.place_id;

-- The people who read a note whatever their other rights are: the author, the assignee, and for a confidential note the
-- people with a role that contains note-confidential:read. No preset role does, and full administrators need one too.
create or replace view note_readers as
  select account_id, id as note_id, author_id as person_id from notes where author_id is not null
  union all
  select account_id, id, assignee_id from notes where assignee_id is not null
  union all
  select note.account_id, note.id, given.person_id from valid_role_assignments given
  join notes note on note.account_id = given.account_id and note.visibility = 'confidential'
  where given.permissions ? 'note-confidential:read'
    and case given.scope_type
      when 'account' then true
      when 'cell' then exists (
        select from note_cells place where place.account_id = note.account_id and place.note_id = note.id
          and place.cell_id = any(given.scope_ids))
      when 'cell-tree' then exists (
        select from note_cells place
        join cell_tree tree on tree.account_id = note.account_id and tree.cell_id = place.cell_id
        where place.account_id = note.account_id and place.note_id = note.id
          and tree.ancestor_id = any(given.scope_ids))
      when 'course' then exists (
        select from note_courses place where place.account_id = note.account_id and place.note_id = note.id
          and place.course_id = any(given.scope_ids))
      when 'course-class' then exists (
        select from note_courses place where place.account_id = note.account_id and place.note_id = note.id
          and place.class_id = any(given.scope_ids))
      else false
    end;
