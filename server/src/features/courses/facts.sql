-- The statuses of an enrollment that take a seat of the class.
create or replace function takes_seat(status text) returns boolean
  language sql immutable parallel safe
  return status in ('active', 'completed', 'failed');

-- A student sees the materials, attends sessions and hands in work.
create or replace function is_student(status text) returns boolean
  language sql immutable parallel safe
  return status in ('active', 'completed');

-- The staff of a class reach these people, and those who only ask to enroll or wait, once the enrollment is accepted.
create or replace function is_enrolled(status text) returns boolean
  language sql immutable parallel safe
  return status in ('requested', 'waitlisted', 'active', 'completed', 'failed');

create or replace view enrolled_people as
  select account_id, person_id, course_id, class_id from course_enrollments where is_enrolled(status) and is_accepted;

create or replace view taught_classes as
  select account_id, class_id, person_id from course_class_teachers;

create or replace view courses_of_classes as
  select account_id, id as class_id, course_id from course_classes;

-- The students for whom a material is available.
create or replace view course_material_students as
  select material.account_id, material.id as material_id, enrollment.person_id
  from course_enrollments enrollment
  join course_classes class on class.account_id = enrollment.account_id and class.id = enrollment.class_id
  join course_materials material on material.account_id = class.account_id and material.course_id = class.course_id
    and (material.class_id is null or material.class_id = class.id)
  where is_student(enrollment.status) and material.audience = 'student'
    and material.publish_status <> 'draft'
    and (material.available_from is null or material.publish_status = 'public'
      or class.starts + material.available_from * interval '24 hours' <= now());

-- The classes whose staff read a material of the whole course.
create or replace view course_material_classes as
  select material.account_id, material.id as material_id, class.id as class_id
  from course_classes class
  join course_materials material on material.account_id = class.account_id and material.course_id = class.course_id
  where material.class_id is null and material.publish_status <> 'draft';

-- The courses and classes whose staff reach an attachment.
create or replace view material_attachment_places as
  select attachment.account_id, attachment.id as attachment_id, material.course_id, material.class_id
  from material_attachments attachment
  join course_materials material on material.account_id = attachment.account_id and material.id = attachment.material_id;

-- The readers of the material read its attachments.
create or replace view material_attachment_students as
  select attachment.account_id, attachment.id as attachment_id, student.person_id
  from material_attachments attachment
  join course_material_students student on student.account_id = attachment.account_id
    and student.material_id = attachment.material_id;

create or replace view material_attachment_classes as
  select attachment.account_id, attachment.id as attachment_id, reader.class_id
  from material_attachments attachment
  join course_material_classes reader on reader.account_id = attachment.account_id
    and reader.material_id = attachment.material_id;

-- The classes of the course of each task.
create or replace view course_task_classes as
  select task.account_id, task.id as task_id, class.id as class_id
  from course_tasks task
  join course_classes class on class.account_id = task.account_id and class.course_id = task.course_id;

-- The students who do each task.
create or replace view course_task_students as
  select task.account_id, task.id as task_id, enrollment.person_id
  from course_tasks task
  join course_enrollments enrollment
    on enrollment.account_id = task.account_id and enrollment.course_id = task.course_id
  where task.assigned_to = 'student' and is_student(enrollment.status);

-- The people with a seat in the class of each session. People who only ask or wait for one do not see how a class goes.
create or replace view course_session_students as
  select session.account_id, session.id as session_id, enrollment.person_id
  from course_sessions session
  join course_enrollments enrollment
    on enrollment.account_id = session.account_id and enrollment.class_id = session.class_id
  where takes_seat(enrollment.status);

-- The texts in which a search box finds courses, and classes with their courses. An account has few of them, so that they
-- need no index.
create or replace view course_search as
  select account_id, id as course_id, concat_ws(' ', name_folded, fold(code), fold(category)) as words from courses;

create or replace view class_search as
  select class.account_id, class.id as class_id,
    concat_ws(' ', class.name_folded, fold(class.location), course.words) as words
  from course_classes class
  join course_search course on course.account_id = class.account_id and course.course_id = class.course_id;

-- The statuses of an attendance that count as attended.
create or replace function attends_lesson(status text, excused_counts boolean) returns boolean
  language sql immutable parallel safe
  return status in ('present', 'late', 'online') or status = 'excused' and excused_counts;

-- The lessons that a student can still attend: those of planned sessions, also of days that wait for their attendance.
create or replace function lessons_left(enrollment course_enrollments) returns integer
  language sql stable parallel safe
  return (
    select count(distinct session.lesson_id)::integer
    from course_sessions session
    join course_lessons lesson on lesson.account_id = session.account_id and lesson.id = session.lesson_id and lesson.is_active
    join courses course on course.account_id = session.account_id and course.id = session.course_id
    where session.account_id = enrollment.account_id and session.class_id = enrollment.class_id and session.status = 'planned'
      and not exists (
        select from course_attendances attendance
        where attendance.account_id = enrollment.account_id and attendance.enrollment_id = enrollment.id
          and attendance.lesson_id = session.lesson_id and attends_lesson(attendance.status, course.excused_counts)));

-- The progress of each enrollment towards graduation, by the rules of its course.
create or replace view course_progress as
  select enrollment.account_id, enrollment.id as enrollment_id, enrollment.course_id, enrollment.class_id,
    enrollment.person_id, attended.count as lessons_attended, needed.count as lessons_required,
    case when needed.count = 0 then 0 else least(100, 100 * attended.count / needed.count) end as progress,
    attended.missing_lessons, tasks.missing_tasks,
    needed.count > 0 and attended.count >= needed.count and attended.missing_lessons = '{}' and tasks.missing_tasks = '{}'
      as is_eligible_to_graduate
  from course_enrollments enrollment
  join courses course on course.account_id = enrollment.account_id and course.id = enrollment.course_id
  cross join lateral (
    -- With "offset 0" PostgreSQL counts once, and not for each mention of the result.
    select coalesce(nullif(course.lessons_to_graduate, 0), (
      select count(*)::integer from course_lessons lesson
      where lesson.account_id = course.account_id and lesson.course_id = course.id and lesson.is_active)) as count
    offset 0
  ) needed
  cross join lateral (
    select count(present.lesson_id)::integer as count,
      coalesce(array_agg(lesson.id order by lesson.number)
        filter (where lesson.is_mandatory and present.lesson_id is null), '{}') as missing_lessons
    from course_lessons lesson
    left join (
      select distinct attendance.lesson_id from course_attendances attendance
      where attendance.account_id = enrollment.account_id and attendance.enrollment_id = enrollment.id
        and attends_lesson(attendance.status, course.excused_counts)
    ) present on present.lesson_id = lesson.id
    where lesson.account_id = course.account_id and lesson.course_id = course.id and lesson.is_active
  ) attended
  cross join lateral (
    select coalesce(array_agg(task.id order by task.id), '{}') as missing_tasks
    from course_tasks task
    where task.account_id = course.account_id and task.course_id = course.id and task.is_mandatory
      and task.assigned_to = 'student' and not exists (
        select from course_task_completions completion
        where completion.account_id = task.account_id and completion.task_id = task.id
          and completion.enrollment_id = enrollment.id and completion.status = 'accepted')
  ) tasks;
