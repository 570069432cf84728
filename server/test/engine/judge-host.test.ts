import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError } from "../../src/base/errors.ts";
import { parseNetwork } from "../../src/base/networks.ts";
import { createHostJudge } from "../../src/webhooks/endpoints/judge-host.ts";
import { type NameAnswer, startNameServer } from "../support/name-server.ts";

const said: Record<string, NameAnswer> = {
  "public.example": ["203.0.114.7", "2606:4700::7"],
  "private.example": ["10.0.0.7"],
  "both.example": ["203.0.114.7", "127.0.0.1"],
  "empty.example": [],
};
const names = await startNameServer((name) => said[name] ?? "NXDOMAIN");
const broken = await startNameServer(() => "SERVFAIL");
after(() => Promise.all([names.close(), broken.close()]));

const judge = createHostJudge({ dnsServers: [names.address] });

test("a host is usable if all its addresses are public", async () => {
  assert.equal(await judge("public.example"), "usable");
  assert.equal(await judge("private.example"), "refused");
  assert.equal(await judge("both.example"), "refused");
});

test("a name without addresses or an unknown name has no addresses", async () => {
  assert.equal(await judge("empty.example"), "none");
  assert.equal(await judge("unknown.example"), "none");
});

test("an address is judged without a DNS query, with and without brackets", async () => {
  const before = names.asked.length;
  assert.equal(await judge("203.0.114.7"), "usable");
  assert.equal(await judge("127.0.0.1"), "refused");
  assert.equal(await judge("[::1]"), "refused");
  assert.equal(await judge("[2606:4700::7]"), "usable");
  assert.equal(names.asked.length, before, "no lookup");
});

test("an address that the operator allows is usable", async () => {
  const network = parseNetwork("10.0.0.0/8");
  assert.ok(network);
  const lenient = createHostJudge({ dnsServers: [names.address], allowed: [network] });
  assert.equal(await lenient("private.example"), "usable");
});

test("503 · the host is not judged if the name servers fail", async () => {
  const blind = createHostJudge({ dnsServers: [broken.address] });
  await assert.rejects(blind("public.example"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.headers], [503, { "Retry-After": "5" }]);
    return true;
  });
});
