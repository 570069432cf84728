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

test("a host is usable when all its addresses are public", async () => {
  assert.equal(await judge("public.example"), "usable");
  assert.equal(await judge("private.example"), "refused");
  assert.equal(await judge("both.example"), "refused");
});

test("a name without addresses, or that nobody has, is none", async () => {
  assert.equal(await judge("empty.example"), "none");
  assert.equal(await judge("unknown.example"), "none");
});

test("an address is judged as it stands, in brackets or without", async () => {
  const before = names.asked.length;
  assert.equal(await judge("203.0.114.7"), "usable");
  assert.equal(await judge("127.0.0.1"), "refused");
  assert.equal(await judge("[::1]"), "refused");
  assert.equal(await judge("[2606:4700::7]"), "usable");
  assert.equal(names.asked.length, before, "nobody is asked");
});

test("what the operator allows is usable", async () => {
  const network = parseNetwork("10.0.0.0/8");
  assert.ok(network);
  const lenient = createHostJudge({ dnsServers: [names.address], allowed: [network] });
  assert.equal(await lenient("private.example"), "usable");
});

test("503 · where our own name servers do not know, nothing is said about the host", async () => {
  const blind = createHostJudge({ dnsServers: [broken.address] });
  await assert.rejects(blind("public.example"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.headers], [503, { "Retry-After": "5" }]);
    return true;
  });
});
