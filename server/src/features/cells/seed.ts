import type { Value } from "../../store/insert-rows.ts";
import { draw, idOf, type Plan } from "../../sample-data/plan.ts";
import type { SeededAccount } from "../../sample-data/seeded-account.ts";

const PEOPLE_PER_CELL = 12;

export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan } = account;
  await account.insert("cells", ["id", "name", "opened_at"], cells(plan));
  await account.insert("cell_ancestors", ["cell_id", "ancestor_id", "distance"], ancestors(plan));
  await account.insert(
    "cell_memberships",
    ["id", "cell_id", "person_id", "cell_role", "status", "joined_on"],
    memberships(plan),
  );
}

function* cells(plan: Plan): Generator<readonly Value[]> {
  const founded = new Date(plan.foundedMs).toISOString();
  for (let cell = 0; cell * PEOPLE_PER_CELL < plan.shape.people; cell += 1) {
    const { die, id } = draw(plan, "cells", cell);
    yield [id, `${die.pick(plan.language.streets)} ${cell + 1}`, founded];
  }
}

function* ancestors(plan: Plan): Generator<readonly Value[]> {
  for (const [id = null] of cells(plan)) yield [id, id, 0];
}

/** Almost half of the people are in a cell. The first of each twelve leads it. */
function* memberships(plan: Plan): Generator<readonly Value[]> {
  const joinedOn = new Date(plan.foundedMs).toISOString().slice(0, 10);
  for (let person = 0; person < plan.shape.people; person += 1) {
    const { die, id } = draw(plan, "cell-memberships", person);
    const place = person % PEOPLE_PER_CELL;
    if (place > 0 && !die.chance(0.4)) continue;
    const role = place === 0 ? "leader" : place === 1 ? "co-leader" : "participant";
    yield [
      id,
      idOf(plan, "cells", Math.floor(person / PEOPLE_PER_CELL)),
      idOf(plan, "people", person),
      role,
      place > 0 && die.chance(0.08) ? "left" : "active",
      joinedOn,
    ];
  }
}
