-- Work for a task that asks for a file is not handed in before its file.
alter table course_task_completions add awaits_file boolean not null default false;

update course_task_completions completion set awaits_file = true
from course_tasks task
where task.account_id = completion.account_id and task.id = completion.task_id
  and task.submission_type = 'file' and completion.status = 'submitted' and completion.file_id is null;
