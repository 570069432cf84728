-- Reports of a year and the last attendance of each person are read from these indexes alone.
drop index cell_attendances_by_cell;
create index cell_attendances_by_cell on cell_attendances (account_id, cell_id, date) include (person_id, status);
drop index cell_attendances_by_person;
create index cell_attendances_by_person on cell_attendances (account_id, person_id, date) include (status);

-- The function cell_week_counts replaces it.
drop view if exists cell_report_summaries;
