import { DAY, HOUR, MINUTE, SECOND } from "../../src/base/clock.ts";
import * as people from "./people.ts";
import { pass, passUntilDue } from "./time.ts";
import * as workers from "./workers.ts";
import type { World } from "./world.ts";

export interface Happening {
  readonly name: string;
  /** Its weight among the others. */
  readonly weight: number;
  /** Returns whether it took place. */
  readonly run: (world: World) => Promise<boolean>;
}

const passUpTo =
  (...upTo: readonly number[]) =>
  async (world: World) => {
    await pass(world, world.die.below(world.die.pick(upTo)));
    return true;
  };

/** Everything that can happen in a step. */
export const happenings: readonly Happening[] = [
  { name: "something happens in the account", weight: 160, run: people.happen },

  { name: "a worker takes, sends and settles", weight: 360, run: workers.turn },
  { name: "a worker takes", weight: 80, run: workers.takeSome },
  { name: "a worker sends", weight: 40, run: workers.send },
  { name: "a worker settles", weight: 40, run: workers.settleSome },
  { name: "a worker dies", weight: 20, run: workers.lose },
  { name: "a worker stops", weight: 30, run: workers.stop },

  { name: "a moment passes", weight: 60, run: passUpTo(SECOND, MINUTE, 10 * MINUTE) },
  { name: "a day passes, or less", weight: 70, run: passUpTo(HOUR, DAY) },
  { name: "weeks pass", weight: 6, run: passUpTo(20 * DAY) },
  { name: "time passes until something is due", weight: 140, run: passUntilDue },

  { name: "an endpoint is paused", weight: 4, run: people.pause },
  { name: "an endpoint is resumed", weight: 10, run: people.resume },
  { name: "an endpoint is given another URL", weight: 3, run: people.setUrl },
  { name: "an endpoint unsubscribes", weight: 4, run: people.unsubscribe },
  { name: "an endpoint subscribes", weight: 8, run: people.subscribe },
  { name: "an endpoint is deleted", weight: 2, run: people.remove },
  { name: "an endpoint is mended", weight: 30, run: people.mend },
  { name: "a secret is rotated", weight: 8, run: people.rotate },
  { name: "a verification is asked for", weight: 5, run: people.verify },
  { name: "a test is asked for", weight: 10, run: people.tryOut },
  { name: "a delivery is sent again", weight: 10, run: people.sendAgain },
  { name: "what failed is replayed", weight: 3, run: people.sendAllAgain },
];
