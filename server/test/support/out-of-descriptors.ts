import { closeSync, openSync } from "node:fs";
import { createSender } from "../../src/webhooks/engine/send.ts";

/** Run with few descriptors: sends while there are none left, and again when there are. Prints both results. */

const [url = "", authorities = "", name = "", dnsServer = ""] = process.argv.slice(2);
const sender = createSender({ judge: () => undefined, authorities });
const byName = createSender({ judge: () => undefined, authorities, dnsServers: [dnsServer] });
const request = { url, headers: {}, body: Buffer.from("{}"), destination: "1" };
// Once with descriptors, so that everything is loaded that is loaded late.
const results = [await sender.send(request)];
sender.close();

const taken: number[] = [];
for (;;)
  try {
    taken.push(openSync("/dev/null", "r"));
  } catch {
    break;
  }
results.push(await sender.send(request));
results.push(await byName.send({ ...request, url: name, wallMs: 1_000 }));
for (const descriptor of taken) closeSync(descriptor);
results.push(await sender.send(request));
process.stdout.write(
  JSON.stringify(
    results.map((result) => (result.kind === "failed" ? result.reason : result.status)),
  ),
);
