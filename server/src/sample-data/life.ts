import { draw, type Plan } from "./plan.ts";
import type { Die } from "./random.ts";

export type MembershipStatus =
  | "prospect"
  | "visitor"
  | "attender"
  | "member"
  | "former-member"
  | "deceased";

/** The facts of a generated person on which other features depend. */
export interface Life {
  age: number;
  status: MembershipStatus;
}

/** The first person is the full administrator of the account. */
export function lifeOf(plan: Plan, person: number): Life {
  if (person === 0) return { age: 45, status: "member" };
  const { die } = draw(plan, "lives", person);
  const age = ageOf(die);
  return { age, status: statusOf(die, age) };
}

/** Many children, few people in their twenties, many older ones. */
function ageOf(die: Die): number {
  const band = die.below(100);
  if (band < 20) return die.below(15);
  if (band < 38) return 15 + die.below(16);
  if (band < 72) return 31 + die.below(25);
  return 56 + die.below(38);
}

function statusOf(die: Die, age: number): MembershipStatus {
  const draw = die.below(100);
  if (age < 14) return draw < 80 ? "attender" : "visitor";
  if (draw < 55) return "member";
  if (draw < 73) return "attender";
  if (draw < 85) return "visitor";
  if (draw < 90) return "prospect";
  return draw < 99 ? "former-member" : "deceased";
}
