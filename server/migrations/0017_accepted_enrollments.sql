-- False while staff of a class have enrolled somebody outside their scope, and neither the person nor the office has accepted it.
-- Nothing tells which older enrollments this was, so all of them count as accepted.
alter table course_enrollments add column is_accepted boolean not null default true;
