import type { Config } from "../../app/config.ts";
import { SECOND } from "../../base/clock.ts";
import { isDatabaseAway } from "../../store/away.ts";
import { connect, type Db, HOME } from "../../store/db.ts";
import { POOLERS_IN_ORDER, wrongPlaceOf } from "../../store/number-servers.ts";
import {
  keepsPreparedStatements,
  lacksSettings,
  losesPreparedStatements,
  placeOfPooler,
  PoolerAway,
  refusesSettings,
} from "../../store/pooler.ts";
import { type Finding, finding } from "./finding.ts";

const ANSWER_MS_MAX = 5 * SECOND;

/** Examines the poolers that requests go through. The commands themselves do not use them. */
export async function* examinePoolers(
  servers: readonly Db[],
  { databaseDirectUrl, databasePoolers, databaseUrl = "" }: Config,
): AsyncGenerator<Finding> {
  const urls = databaseDirectUrl === undefined ? databasePoolers : [databaseUrl];
  for (const server of servers) {
    const url = urls[server.server - HOME];
    if (url === undefined) continue;
    const pooled = connect(url, {
      max: 2,
      name: "vestry-command",
      pooled: true,
      connectMsMax: ANSWER_MS_MAX,
      waitMsMax: ANSWER_MS_MAX,
      statementMsMax: ANSWER_MS_MAX,
    });
    try {
      yield* examinePooler(server, pooled);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      yield finding(
        "pooler-away",
        new PoolerAway(pooled, error as Error).message,
        "Requests get 503. Check that the pooler is running and that its address is correct.",
      );
    } finally {
      await pooled.end({ timeout: 1 });
    }
  }
}

async function* examinePooler(server: Db, pooled: Db): AsyncGenerator<Finding> {
  const fits = await keepsPreparedStatements(pooled).catch((error: unknown) => {
    if (refusesSettings(error) || losesPreparedStatements(error)) return false;
    throw error;
  });
  const place = placeOfPooler(pooled);
  if (!fits) {
    yield finding(
      "pooler-without-prepared-statements",
      `The pooler at ${place} does not keep prepared statements, and a start is refused.`,
      "Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or PgDog with prepared_statements extended.",
    );
    return;
  }
  const wrong = await wrongPlaceOf(server, pooled);
  if (wrong !== undefined) yield finding("poolers-mixed-up", wrong, POOLERS_IN_ORDER);
  if (await lacksSettings(pooled))
    yield finding(
      "pooler-connections-outdated",
      `The pooler at ${place} has connections without the time limits of its role.`,
      "Run RECONNECT in the console of the pooler.",
    );
}
