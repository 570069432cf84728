-- The cells through which a scope reaches a note: the cell it is about, and the cells of the person it is about.
create or replace view note_cells as
  select account_id, id as note_id, about_cell_id as cell_id, visibility from notes where about_cell_id is not null
  union all
  select note.account_id, note.id, membership.cell_id, note.visibility from notes note
  join active_cell_memberships membership on membership.account_id = note.account_id
    and membership.person_id = note.about_person_id;

-- The courses and classes through which a scope reaches a note about a person.
create or replace view note_courses as
  select note.account_id, note.id as note_id, enrollment.course_id, enrollment.class_id, note.visibility from notes note
  join enrolled_people enrollment on enrollment.account_id = note.account_id
    and enrollment.person_id = note.about_person_id;

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
