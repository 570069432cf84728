import { closeSync, openSync } from "node:fs";
import { createSender } from "../../src/webhooks/http/send.ts";
import { judgeLoopback } from "./loopback.ts";

/** Runs with few descriptors. Sends while none is left and again when some are free, and prints the results. */

const [url = "", authorities = "", name = "", dnsServer = ""] = process.argv.slice(2);
const sender = createSender({ judge: judgeLoopback, authorities, idleMs: 60_000 });
const byName = createSender({ judge: judgeLoopback, authorities, dnsServers: [dnsServer] });
const to = (destination: string) => ({ url, headers: {}, body: Buffer.from("{}"), destination });
// The first request loads all modules and leaves one connection idle.
const results = [await sender.send(to("1"))];

const taken: number[] = [];
for (;;)
  try {
    taken.push(openSync("/dev/null", "r"));
  } catch {
    break;
  }
results.push(await sender.send(to("2")));
results.push(await sender.send(to("3")));
results.push(await byName.send({ ...to("4"), url: name, timeoutMs: 1_000 }));
for (const descriptor of taken) closeSync(descriptor);
results.push(await sender.send(to("5")));
sender.close();
byName.close();
process.stdout.write(
  JSON.stringify(results.map((each) => (each.kind === "failed" ? each.reason : each.status))),
);
