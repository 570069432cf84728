import { flushCompileCache } from "node:module";
import { CannotStart, type Service, serviceRoles, startService } from "../app/service.ts";
import { type Command, command, CommandError, type Context, type Outcome } from "./command.ts";
import { choice } from "./options.ts";
import { Signals } from "./signals.ts";
import { welcome } from "./welcome.ts";

export const commands: readonly Command[] = [
  command({
    name: "serve",
    summary: "Runs the service until it is told to stop.",
    options: {
      role: choice(
        serviceRoles,
        "The part to play: api answers requests, worker does the work behind them, all does both.",
        { default: "all" },
      ),
    },
    async run({ role }, context) {
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
        // Log lines have standard output to themselves; what is for people goes to standard error.
        const logTo = context.json ? "stderr" : "stdout";
        service = await startService({ config, role, say: context.say, logTo });
        // Node does so when it ends in good order: one that is killed would leave all its types to be stripped again.
        flushCompileCache();
        if (context.json) process.stdout.write(`${JSON.stringify(readyOf(service))}\n`);
        else context.say(welcome(config, service).join("\n"));
        return await untilTold(service, signals, context);
      } catch (error) {
        if (error instanceof CannotStart) throw new CommandError("cannot-start", error.message);
        throw error;
      } finally {
        signals.end();
      }
    },
  }),
];

const readyOf = ({ url, metricsUrl, milliseconds, demo }: Service) => ({
  "url": url ?? null,
  "metrics-url": metricsUrl ?? null,
  milliseconds,
  "demo": demo ?? null,
});

async function untilTold(service: Service, signals: Signals, { say }: Context): Promise<Outcome> {
  const why = await Promise.race([signals.first, service.failed]);
  if (why instanceof Error) {
    await service.stop("database-ended");
    throw new CommandError("database-ended", `PostgreSQL cannot be kept running: ${why.message}`);
  }
  say("Stopping …");
  await service.stop(why);
  say("Stopped.");
  return { json: undefined, lines: [] };
}
