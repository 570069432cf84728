import { MINUTE } from "../../base/clock.ts";
import type { Value } from "../../store/insert-rows.ts";
import { personId } from "./people.ts";
import { idOf, type Plan, type Table } from "./plan.ts";
import { Die, idFrom, kinds } from "./random.ts";

const PEOPLE_PER_CELL = 12;

export const cellTables: readonly Table[] = [
  { table: "cells", columns: ["account_id", "id", "name", "opened_at"], rows: cells },
  {
    table: "cell_ancestors",
    columns: ["account_id", "cell_id", "ancestor_id", "distance"],
    rows: ancestors,
  },
  {
    table: "cell_memberships",
    columns: ["account_id", "id", "cell_id", "person_id", "cell_role", "status", "joined_on"],
    rows: memberships,
  },
];

function* cells(plan: Plan): Generator<readonly Value[]> {
  const founded = new Date(plan.foundedMs).toISOString();
  for (let cell = 0; cell * PEOPLE_PER_CELL < plan.shape.people; cell += 1) {
    const die = new Die(plan.seed, kinds.cell, plan.index, cell);
    const id = idFrom(die, plan.foundedMs + cell * MINUTE);
    yield [plan.accountId, id, `${die.pick(plan.language.streets)} ${cell + 1}`, founded];
  }
}

function* ancestors(plan: Plan): Generator<readonly Value[]> {
  for (const [accountId, id] of cells(plan)) yield [accountId, id, id, 0] as readonly Value[];
}

/** Not quite half of the people are in a cell; the first of each twelve leads one. */
function* memberships(plan: Plan): Generator<readonly Value[]> {
  const joinedOn = new Date(plan.foundedMs).toISOString().slice(0, 10);
  for (let person = 0; person < plan.shape.people; person += 1) {
    const die = new Die(plan.seed, kinds.membership, plan.index, person);
    const id = idFrom(die, plan.foundedMs + person * MINUTE);
    const place = person % PEOPLE_PER_CELL;
    if (place > 0 && !die.chance(0.4)) continue;
    const role = place === 0 ? "leader" : place === 1 ? "co-leader" : "participant";
    yield [
      plan.accountId,
      id,
      idOf(plan, kinds.cell, Math.floor(person / PEOPLE_PER_CELL)),
      personId(plan, person),
      role,
      place > 0 && die.chance(0.08) ? "left" : "active",
      joinedOn,
    ];
  }
}
