-- What a person holds and where, as a request asks for it: role code, the role's own permissions, scope type, scope ids.
-- Leading a cell and teaching a class are roles by themselves, never stored, so that they end with the task.
--
-- A function, since PostgreSQL sets up every part of a statement before it runs any of them: within the statement that
-- finds a caller, this would be paid for by those, too, who may do everything and need none of it. In plpgsql, since
-- that keeps its plan.
create function assignments_of(in_account uuid, of_person uuid) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(held.assignment) from (
      select json_build_array(role.code, role.permissions, given.scope_type, given.scope_ids) as assignment
      from role_assignments given
      join roles role on role.account_id = in_account and role.id = given.role_id
      where given.account_id = in_account and given.person_id = of_person
        and (given.valid_from is null or given.valid_from <= now())
        and (given.valid_until is null or given.valid_until > now())
      union all
      select json_build_array('cell-leader', null, 'cell', json_agg(led.cell_id))
      from cell_memberships led
      where led.account_id = in_account and led.person_id = of_person
        and led.status = 'active' and led.cell_role in ('leader', 'co-leader')
      having count(*) > 0
      union all
      select json_build_array('teacher', null, 'course-class', json_agg(taught.class_id))
      from course_class_teachers taught
      where taught.account_id = in_account and taught.person_id = of_person
      having count(*) > 0
    ) held);
end $$;
