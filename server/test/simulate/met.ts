import { attemptOutcomes } from "../../src/webhooks/engine/outcome.ts";
import { type DeliveryState, deliveryStates } from "../../src/webhooks/engine/transition.ts";
import {
  type SuppressionReason,
  suppressionReasons,
} from "../../src/webhooks/endpoints/suppression-reasons.ts";
import { happenings } from "./happenings.ts";
import type { Counts, Story } from "./simulation.ts";

/** A simulation proves nothing about a situation that it never reaches. */

const states = Object.keys(deliveryStates) as DeliveryState[];

export const mustHaveMetInCore = (reached: ReadonlySet<DeliveryState>): void =>
  mustHave({
    states: states.filter((state) => !reached.has(state)),
  });

/** A second check. An unverified endpoint has only verifications for its current URL. */
const UNREACHED = "pending-verification" satisfies SuppressionReason;

export const mustHaveMet = ({ attempts, happened, states: ends, suppressed }: Story): void =>
  mustHave({
    "final states": states.filter((state) => deliveryStates[state].final && !ends[state]),
    "outcomes": [...new Set([...Object.values(attemptOutcomes), "abandoned"])].filter(
      (name) => !attempts[name],
    ),
    "suppression reasons": Object.keys(suppressionReasons).filter(
      (reason) => !suppressed[reason] && reason !== UNREACHED,
    ),
    "happenings": happenings.map(({ name }) => name).filter((name) => !happened[name]),
  });

function mustHave(missing: Readonly<Record<string, readonly string[]>>): void {
  const names = Object.entries(missing).flatMap(([what, of]) =>
    of.length > 0 ? [`${what}: ${of.join(", ")}`] : [],
  );
  if (names.length > 0) throw new Error(`The whole run has not met ${names.join("; ")}.`);
}

export function total(stories: readonly Story[]): Story {
  const sum = (of: (story: Story) => number) => stories.reduce((all, story) => all + of(story), 0);
  const add = (of: (story: Story) => Counts) => {
    const names = new Set(stories.flatMap((story) => Object.keys(of(story))));
    return Object.fromEntries(
      [...names].map((name) => [name, sum((story) => of(story)[name] ?? 0)]),
    );
  };
  return {
    days: Math.round(sum(({ days }) => days)),
    deliveries: sum(({ deliveries }) => deliveries),
    sent: sum(({ sent }) => sent),
    attempts: add((story) => story.attempts),
    states: add((story) => story.states),
    suppressed: add((story) => story.suppressed),
    happened: add((story) => story.happened),
  };
}
