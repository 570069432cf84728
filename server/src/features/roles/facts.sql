-- The assignments that are valid at this moment, with their roles.
create or replace view valid_role_assignments as
  select given.account_id, given.id, given.person_id, given.scope_type, given.scope_ids, role.name, role.code,
    role.permissions, given.valid_until
  from role_assignments given
  join roles role on role.account_id = given.account_id and role.id = given.role_id
  where (given.valid_from is null or given.valid_from <= now())
    and (given.valid_until is null or given.valid_until > now());

-- The roles that people hold at this moment, and their scopes. Leading a cell, supervising cells and teaching a class give
-- roles that are derived, never stored, so that they end with the task.
create or replace view held_roles as
  select account_id, person_id, name, code, permissions, scope_type, scope_ids, false as is_derived, id as position,
    valid_until
  from valid_role_assignments
  union all
  select derived.account_id, derived.person_id, role.name, role.code, role.permissions, derived.scope_type,
    derived.scope_ids, true, null, null
  from (
    select led.account_id, led.person_id, 'cell-leader' as code, 'cell' as scope_type, array_agg(led.cell_id) as scope_ids
    from active_cell_memberships led
    where led.is_leading
    group by led.account_id, led.person_id
    union all
    select led.account_id, led.person_id, 'cell-supervisor', 'cell-tree', array_agg(led.cell_id)
    from cell_leaders led
    where led.cell_role = 'leader' and led.cell_type = 'supervision'
    group by led.account_id, led.person_id
    union all
    select taught.account_id, taught.person_id, 'teacher', 'course-class', array_agg(taught.class_id)
    from taught_classes taught
    group by taught.account_id, taught.person_id
  ) derived
  join roles role on role.account_id = derived.account_id and role.code = derived.code;

-- The same, and the assignments that begin later.
create or replace view roles_ahead as
  select account_id, person_id, code, permissions, scope_type, scope_ids, valid_until, is_derived from held_roles
  union all
  select given.account_id, given.person_id, role.code, role.permissions, given.scope_type, given.scope_ids,
    given.valid_until, false
  from role_assignments given
  join roles role on role.account_id = given.account_id and role.id = given.role_id
  where given.valid_from > now();

-- The resources that the scopes of role assignments name. An assignment for a class is also placed in its course.
create or replace view role_assignment_places as
  select account_id, id, case scope_type when 'cell-tree' then 'cell' else scope_type end as place_type,
    unnest(scope_ids) as place_id
  from role_assignments
  union all
  select given.account_id, given.id, 'course', class.course_id
  from role_assignments given
  join courses_of_classes class on class.account_id = given.account_id and class.class_id = any(given.scope_ids)
  where given.scope_type = 'course-class';

-- The assignments of a person: role code, the role's own permissions, scope type, scope ids, the time at which it
-- ends, whether it is derived.
--
-- A function, because PostgreSQL initializes every part of a statement before it runs any of them. Inline, this query
-- would cost the full administrators who need none of it. PL/pgSQL caches its plan.
create or replace function assignments_of(in_account uuid, of_person uuid) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_array(held.code, held.permissions, held.scope_type, held.scope_ids,
      held.valid_until, held.is_derived))
    from held_roles held where held.account_id = in_account and held.person_id = of_person);
end $$;

-- The roles of a person as a document shows them. A function for the same reason: most people hold no role, and the view takes almost
-- half of the time of reading a person. Every row of the view comes from one of the three tables.
create or replace function roles_of(in_account uuid, of_person uuid) returns json language plpgsql stable as $$
begin
  if not exists (select from role_assignments where account_id = in_account and person_id = of_person)
    and not exists (select from active_cell_memberships where account_id = in_account and person_id = of_person and is_leading)
    and not exists (select from taught_classes where account_id = in_account and person_id = of_person)
  then return '[]'; end if;
  return array_to_json(array(
    select json_build_object('role', held.name, 'scope-type', held.scope_type, 'ids', held.scope_ids, 'is-derived', held.is_derived)
    from held_roles held where held.account_id = in_account and held.person_id = of_person
    order by held.is_derived, held.position, held.name));
end $$;
