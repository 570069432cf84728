-- The cell or the class where a note was written, null for authors of the whole account. It has no foreign key: when the cell or the class
-- is deleted, the note stays with its author and with the readers of the whole account.
alter table notes add column place_id uuid;

-- A note from before this column gets a cell that its author led while the person was in it, or a class that the author teaches with the
-- person. Other notes get no place. They are read as before, but not through classes.
update notes note set place_id = place.id
from (
  select written.account_id, written.id as note_id, coalesce((
    select led.cell_id from cell_memberships led
    join cell_memberships member on member.account_id = led.account_id and member.cell_id = led.cell_id
      and member.person_id = written.about_person_id
    where led.account_id = written.account_id and led.person_id = written.author_id
      and led.cell_role in ('leader', 'co-leader')
      and led.joined_on <= written.created_at::date + 1
      and (led.left_on is null or led.left_on >= written.created_at::date - 1)
      and member.joined_on <= written.created_at::date + 1
      and (member.left_on is null or member.left_on >= written.created_at::date - 31)
    order by led.joined_on, led.id limit 1
  ), (
    select enrollment.class_id from course_class_teachers taught
    join course_enrollments enrollment on enrollment.account_id = taught.account_id
      and enrollment.class_id = taught.class_id and enrollment.person_id = written.about_person_id
    where taught.account_id = written.account_id and taught.person_id = written.author_id
      and enrollment.enrolled_at <= written.created_at
    order by enrollment.enrolled_at, enrollment.id limit 1
  )) as id
  from notes written where written.about_person_id is not null and written.author_id is not null
) place
where note.account_id = place.account_id and note.id = place.note_id and place.id is not null;

create index notes_by_place on notes (account_id, place_id) where place_id is not null;
