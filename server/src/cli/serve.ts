import { Option } from "@commander-js/extra-typings";
import { flushCompileCache } from "node:module";
import { type Service, type ServiceRole, serviceRoles, startService } from "../app/service.ts";
import type { AddCommand, Context, Outcome } from "./context.ts";
import { ServersMissing } from "../store/number-servers.ts";
import { CommandError } from "./failure.ts";
import { Signals } from "./signals.ts";
import { welcome } from "./welcome.ts";

export const addServe: AddCommand = (program, context) =>
  program
    .command("serve")
    .description("Run the service until it is stopped.")
    .addOption(
      new Option(
        "--role <role>",
        "api answers requests, worker sends webhooks and runs jobs, all does both.",
      )
        .choices(serviceRoles)
        .default("all"),
    )
    .action(context.action(({ role }) => serve(role, context)));

async function serve(role: ServiceRole, context: Context): Promise<Outcome> {
  const note = context.noteOnSettings();
  if (note !== undefined) context.say(note);
  const config = context.config();
  const signals = new Signals();
  let service: Service | undefined;
  void signals.second.then(async () => {
    await service?.stopAtOnce();
    process.exit(130);
  });
  try {
    // With --json, standard output carries the one object only.
    const logTo = context.json ? "stderr" : "stdout";
    service = await startService({ config, role, say: context.say, logTo });
    // Node writes the cache only on an orderly exit. A killed service must leave it for the next start, too.
    flushCompileCache();
    if (context.json) context.print(JSON.stringify(readyOf(service)));
    else context.say(welcome(config, service).join("\n"));
    return await untilStopped(service, signals, context);
  } finally {
    signals.end();
  }
}

const readyOf = ({ url, metricsUrl, milliseconds, demo }: Service) => ({
  "url": url ?? null,
  "metrics-url": metricsUrl ?? null,
  milliseconds,
  "demo": demo ?? null,
});

async function untilStopped(
  service: Service,
  signals: Signals,
  { say }: Context,
): Promise<Outcome> {
  const why = await Promise.race([signals.first, service.failed]);
  if (why instanceof ServersMissing) {
    await service.stop("servers-missing");
    throw why;
  }
  if (why instanceof Error) {
    await service.stop("database-ended");
    throw new CommandError("database-ended", `PostgreSQL keeps stopping: ${why.message}`);
  }
  say("Stopping …");
  await service.stop(why);
  say("Stopped.");
  return { json: undefined, lines: [] };
}
