-- So many submissions an hour. One code on a wall can bring many visitors at once.
alter table forms add column max_per_hour integer not null default 1000;
