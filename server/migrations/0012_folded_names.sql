-- Cells, classes and roles are sorted by name as people and courses are: without regard to case and accents.
alter table cells
  add name_folded text collate "C" not null generated always as (fold(name)) stored;
alter table course_classes
  add name_folded text collate "C" not null generated always as (fold(name)) stored;
alter table roles
  add name_folded text collate "C" not null generated always as (fold(name)) stored;
