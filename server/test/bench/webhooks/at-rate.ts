import { connect } from "../../../src/store/db.ts";
import { type Told, tell } from "./stand.ts";

export interface AtRate {
  readonly databaseUrl: string;
  readonly accountIds: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Captures events at a fixed rate, with accounts in turn. A slow capture neither delays nor skips the next one.
 */
export async function tellAtRate(
  { accountIds, databaseUrl, perSecond, seconds }: AtRate,
  then: (told: Told) => Promise<Told> = async (told) => told,
): Promise<Told[]> {
  const db = connect(databaseUrl, { max: 10, name: "bench-source" });
  // Connections and statements are there before it counts.
  await Promise.all(Array.from({ length: 10 }, () => db`select pg_sleep(0.01)`));
  const startedAt = performance.now();
  const count = perSecond * seconds;
  const all: Promise<Told>[] = [];
  while (all.length < count) {
    const wanted = Math.min(
      Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) + 1,
      count,
    );
    while (all.length < wanted)
      all.push(tell(db, accountIds[all.length % accountIds.length] as string).then(then));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const told = await Promise.all(all);
  await db.end({ timeout: 5 });
  return told;
}
