import { closeSync, openSync } from "node:fs";
import { createSender } from "../../src/webhooks/http/send.ts";

/** Run with few descriptors: sends while there are none left, and again when there are. Prints what became of each. */

const [url = "", authorities = "", name = "", dnsServer = ""] = process.argv.slice(2);
const sender = createSender({ judge: () => undefined, authorities, idleMs: 60_000 });
const byName = createSender({ judge: () => undefined, authorities, dnsServers: [dnsServer] });
const to = (destination: string) => ({ url, headers: {}, body: Buffer.from("{}"), destination });
// Once with descriptors, so that everything is loaded that is loaded late, and one connection is idle.
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
results.push(await byName.send({ ...to("4"), url: name, wallMs: 1_000 }));
for (const descriptor of taken) closeSync(descriptor);
results.push(await sender.send(to("5")));
sender.close();
byName.close();
process.stdout.write(
  JSON.stringify(results.map((each) => (each.kind === "failed" ? each.reason : each.status))),
);
