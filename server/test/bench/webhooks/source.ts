/** Captures in a process of its own, as `vestry serve --role api` does, and rings for the workers. */
import { Agent } from "undici";
import { connect } from "../../../src/store/db.ts";
import { startNotifying } from "../../../src/webhooks/engine/notify.ts";
import { answerBench, Child } from "../child.ts";
import { type AtRate, tellAtRate } from "./at-rate.ts";
import { post } from "./floor.ts";
import { SNAPSHOT, type Told } from "./stand.ts";

/** Where the floor posts each event itself, right after its commit. */
interface Direct {
  readonly origin: string;
  readonly authority: string;
}

interface Job extends AtRate {
  readonly direct?: Direct;
}

export class SourceChild {
  readonly #child = new Child("./webhooks/source.ts");

  tell(job: Job): Promise<readonly Told[]> {
    return this.#child.ask<readonly Told[]>(job);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child.stop();
  }
}

const ring = async (job: AtRate): Promise<Told[]> => {
  const db = connect(job.databaseUrl, { max: 1, name: "bench-bell" });
  const stop = startNotifying(db);
  const told = await tellAtRate(job);
  stop();
  await db.end({ timeout: 5 });
  return told;
};

const postDirectly = async (job: AtRate, { authority, origin }: Direct): Promise<Told[]> => {
  const agent = new Agent({ connections: 32, connect: { ca: authority } });
  const told = await tellAtRate(job, async (one) => {
    await post(agent, origin, "/", bodyAbout(one.subjectId));
    return one;
  });
  await agent.close();
  return told;
};

/** As much of a message as the receiver looks at, as long as one is. */
const bodyAbout = (subjectId: string) =>
  JSON.stringify({
    data: {
      attributes: { snapshot: SNAPSHOT, more: ".".repeat(300) },
      relationships: { subject: { data: { type: "people", id: subjectId } } },
    },
  });

if (import.meta.main)
  answerBench<Job>(({ direct, ...job }) => (direct ? postDirectly(job, direct) : ring(job)));
