import assert from "node:assert/strict";
import { after, test } from "node:test";
import { unavailable } from "../../../src/base/errors.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { newId } from "../../../src/base/ids.ts";
import { onObservation } from "../../../src/base/observe.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { webhookLimits } from "../../../src/base/webhook-limits.ts";
import { deleteEndpoint } from "../../../src/webhooks/endpoints/delete-endpoint.ts";
import { actorOf, postEndpoint, readEndpoint } from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  ids,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";
import { webhookParts } from "../../support/webhook-parts.ts";

const { declared } = describedCatalogue;

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const post = (
  attributes: Record<string, unknown>,
  options: Parameters<typeof service.post>[2] = {},
): Promise<Answer> =>
  service.post("/v1/webhook-endpoints", document("webhook-endpoints", attributes), options);

const somewhere = () => `https://receiver.example/${newId()}`;
const events = ["person.created"];

test("201 · a new endpoint is pending verification, has versions of 1 and shows its secret once", async () => {
  const url = somewhere();
  const answer = await post({ name: "CRM", url, events: ["person.updated", "person.created"] });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(etag(answer), '"webhook-endpoint-1"');
  const { attributes, id, meta, type } = one(answer);
  assert.equal(type, "webhook-endpoints");
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/webhook-endpoints/${id}`);
  assert.match(String(meta?.["secret"]), /^whsec_[\w+/]{43}=$/);
  assert.deepEqual(Object.keys(meta ?? {}), ["secret"]);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.match(String(attributes["created-at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const count = {
    "attempts": 0,
    "retries": 0,
    "succeeded": 0,
    "failed": 0,
    "success-rate": null,
    "attempt-success-rate": null,
  };
  const latency = { average: null, p50: null, p95: null, p99: null };
  assert.deepEqual(
    { ...attributes, "created-at": undefined, "updated-at": undefined },
    {
      "created-at": undefined,
      "updated-at": undefined,
      "name": "CRM",
      url,
      "events": ["person.updated", "person.created"],
      "status": "pending-verification",
      "pause-reason": null,
      "effective-health": "pending-verification",
      "configuration-version": 1,
      "destination-version": 1,
      "verified-destination-version": null,
      "verified-at": null,
      "previous-secret-valid-until": null,
      "secret-generation": 1,
      "last-production-attempt-at": null,
      "last-production-success-at": null,
      "last-production-failure-at": null,
      "consecutive-production-failures": 0,
      "last-production-failure": null,
      "metrics": {
        "24h": { ...count, "latency-ms": latency },
        "7d": { ...count, "latency-ms": latency },
      },
    },
  );
});

test("201 · the secret is encrypted at rest and appears in no later response or observation", async () => {
  const told: unknown[] = [];
  const end = onObservation((one) => told.push(one));
  const { id, secret } = await postEndpoint(service);
  end();
  const read = await service.get(`/v1/webhook-endpoints/${id}`);
  assert.equal(one(read).meta, undefined);
  const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
  for (const text of [secret, bytes.toString("base64"), bytes.toString("hex")]) {
    assert.ok(!read.text.includes(text));
    assert.ok(!JSON.stringify(told).includes(text));
  }
  const [stored] = await db<{ encrypted: Buffer }[]>`
    select encrypted from webhook_secrets where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.ok(stored && !stored.encrypted.includes(bytes), "encrypted at rest");
});

test("201 · an endpoint can subscribe to every event type of the catalogue", async () => {
  const all = Object.keys(declared.events);
  const { id } = await postEndpoint(service, { events: all });
  assert.deepEqual((await readEndpoint(service, id))["events"], all);
});

test("409 · a registered URL in any spelling is rejected without the id or the secret", async () => {
  const path = newId();
  const { id } = await postEndpoint(service, { url: `https://Dup.example:443/${path}/~a?b=%7E` });
  for (const url of [
    `https://dup.example/${path}/~a?b=~`,
    `HTTPS://DUP.EXAMPLE./${path}/%7ea?b=~`,
    `https://dup.example/${path}/./x/../~a?b=~`,
  ]) {
    const answer = await post({ url, events });
    assert.deepEqual([answer.status, codes(answer)], [409, ["duplicate-url"]], url);
    assert.deepEqual(pointers(answer), ["/data/attributes/url"]);
    assert.equal(answer.headers.get("etag"), null);
    assert.equal(answer.headers.get("location"), null);
    assert.ok(!answer.text.includes(id) && !answer.text.includes("whsec_"));
  }
});

test("409 · an account has a limited number of endpoints, and deleting one makes room", async () => {
  const other = await makeAccount(db);
  const as = other.administrator.token;
  await db`
    insert into webhook_endpoints (account_id, id, url, normalized_url, events)
    select ${other.id}, history_id(now()), url, url, '{person.created}'
    from generate_series(2, ${webhookLimits.endpointsPerAccount}) as number
    cross join lateral concat('https://receiver.example/', number) as url`;
  const last = await post({ url: somewhere(), events }, { as });
  assert.equal(last.status, 201);
  const refused = await post({ url: somewhere(), events }, { as });
  assert.deepEqual([refused.status, codes(refused)], [409, ["too-many-endpoints"]]);
  await inTransaction(db, other.id, (tx) =>
    deleteEndpoint(tx, actorOf(other), { id: one(last).id, version: 1 }),
  );
  assert.equal((await post({ url: somewhere(), events }, { as })).status, 201);
});

test("422 · all mistakes are reported at once, each with its pointer", async () => {
  const answer = await post({
    "name": "x".repeat(121),
    "url": "https://user:secret@receiver.example/#part",
    "events": ["person.created", "person.exploded", "person.created"],
    "secret-generation": 2,
    "colour": "red",
  });
  assert.equal(answer.status, 422);
  for (const member of ["name", "url", "events/1", "secret-generation", "colour"])
    assert.ok(pointers(answer).includes(`/data/attributes/${member}`), `${member} ${answer.text}`);
  const about = answer.document.errors?.find(({ source }) => source?.pointer?.endsWith("/url"));
  assert.match(about?.detail ?? "", /credentials.*fragment/);
});

test("422 · an unknown event type is reported with the most similar known type", async () => {
  const wrong = ["person.create", "course.enrolment.completed", "ping"];
  const answer = await post({ url: somewhere(), events: wrong });
  const [created, completed, none] = (answer.document.errors ?? []).map(
    ({ detail }) => detail ?? "",
  );
  assert.match(created ?? "", /such as person\.created/);
  assert.match(completed ?? "", /such as course-enrollment\.completed/);
  assert.doesNotMatch(none ?? "", /such as/);
  assert.ok(answer.text.length < 2_000, answer.text);
});

test("422 · events that are empty, repeated, unknown or not events are rejected", async () => {
  for (const wrong of [
    [],
    ["person.created", "person.created"],
    ["person.exploded"],
    ["*"],
    ["person.*"],
    ["webhook.test"],
    ["webhook.verification"],
    "person.created",
    null,
  ]) {
    const answer = await post({ url: somewhere(), events: wrong });
    assert.equal(answer.status, 422, JSON.stringify(wrong));
    assert.ok(pointers(answer).every((one) => one?.startsWith("/data/attributes/events")));
  }
  const none = await post({ url: somewhere(), events: [] });
  assert.equal(none.document.errors?.[0]?.detail, "Must not be empty.");
  const wildcard = await post({ url: somewhere(), events: ["*"] });
  assert.match(wildcard.document.errors?.[0]?.detail ?? "", /GET \/v1\/webhook-event-types/);
});

test("422 · a host that does not resolve or has a private address is rejected", async () => {
  for (const [verdict, code] of [
    ["none", "url-unresolvable"],
    ["refused", "invalid-attribute"],
  ] as const) {
    const other = await startService({ webhooks: webhookParts(verdict) });
    const answer = await other.post(
      "/v1/webhook-endpoints",
      document("webhook-endpoints", { url: somewhere(), events }),
    );
    await other.stop();
    assert.deepEqual([answer.status, codes(answer)], [422, [code]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/url"]);
  }
});

test("503 · no endpoint is registered while DNS fails", async () => {
  const other = await startService({
    webhooks: {
      ...webhookParts(),
      judgeHost: async () => {
        throw unavailable(5, "Names of hosts cannot be resolved just now.");
      },
    },
  });
  const answer = await other.post(
    "/v1/webhook-endpoints",
    document("webhook-endpoints", { url: somewhere(), events }),
  );
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  assert.deepEqual(ids(await other.get("/v1/webhook-endpoints")), []);
  await other.stop();
});
