import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { activeEndpoint, makeDelivery, newKey } from "../../support/endpoints.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import { codes, document, FIRST_PARTY, startService } from "../../support/service.ts";

/** Only full administrators may manage webhooks. Every route is tested. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const { id } = await activeEndpoint(service);
const { eventId, id: delivery } = await makeDelivery(db, account.id, { endpointId: id });
const endpoint = { endpoint: { data: { type: "webhook-endpoints", id } } };

const post = (type: string, attributes: object, relationships: Record<string, unknown> = {}) =>
  ["POST", `/v1/${type}`, document(type, { ...attributes }, { relationships })] as const;

const routes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["GET", "/v1/webhook-endpoints"],
  ["GET", `/v1/webhook-endpoints/${id}`],
  post("webhook-endpoints", { url: "https://new.example/", events: ["person.created"] }),
  ["PATCH", `/v1/webhook-endpoints/${id}`, document("webhook-endpoints", { name: "X" }, { id })],
  ["DELETE", `/v1/webhook-endpoints/${id}`],
  ["GET", `/v1/webhook-endpoints/${id}/timeline`],
  ["GET", `/v1/webhook-endpoints/${id}/relationships/timeline`],
  ["GET", "/v1/webhook-endpoint-changes"],
  post("webhook-endpoint-verifications", { "endpoint-id": id, "configuration-version": 2 }),
  post("webhook-endpoint-secret-rotations", { "secret-generation": 1 }, endpoint),
  post("webhook-test-deliveries", { "endpoint-id": id }),
  post(
    "webhook-redeliveries",
    {},
    { delivery: { data: { type: "webhook-deliveries", id: delivery } } },
  ),
  ["GET", "/v1/webhook-replays"],
  post("webhook-replays", { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }, endpoint),
  ["GET", "/v1/webhook-events"],
  ["GET", `/v1/webhook-events/${eventId}`],
  ["GET", "/v1/webhook-deliveries"],
  ["GET", `/v1/webhook-deliveries/${delivery}`],
];

const each = async (
  options: { as?: string | null; headers?: Record<string, string | null> },
  status: number,
  code: string,
) => {
  for (const [method, path, body] of routes) {
    const answer = await service.request(method, path, {
      ...options,
      ...(body !== undefined && { body }),
      headers: { "If-Match": '"webhook-endpoint-2"', ...newKey(), ...options.headers },
    });
    assert.deepEqual([answer.status, codes(answer)], [status, [code]], `${method} ${path}`);
    assert.ok(!answer.text.includes("whsec_"));
  }
};

test("every webhook type has a route in the list above", () => {
  const { commands, resources } = describedCatalogue;
  for (const { type } of [...resources.values(), ...commands.values()])
    if (type.startsWith("webhook-"))
      assert.ok(
        routes.some(([, path]) => path.startsWith(`/v1/${type}`)),
        type,
      );
});

test("401 · a request without a bearer token or with an unknown one is rejected", async () => {
  await each({ as: null }, 401, "credentials-missing");
  await each({ as: "vat_nothing" }, 401, "credentials-invalid");
});

test("403 · a person who is not a full administrator is rejected", async () => {
  for (const administrativeStatus of ["none", "administrator"] as const) {
    const { token } = await makePerson(db, account.id, { administrativeStatus });
    await each({ as: token }, 403, "forbidden");
  }
});

test("403 · an administrator of an inactive account is rejected", async () => {
  const inactive = await makeAccount(db);
  await db`update accounts set status = 'inactive' where id = ${inactive.id}`;
  await each({ as: inactive.administrator.token }, 403, "account-inactive");
});

test("403 · a request with any client token is rejected", async () => {
  await each({ headers: { "X-SVC-API-Token": "vct_invented" } }, 403, "client-token-unsupported");
});

test("403 · a request from a foreign origin is rejected", async () => {
  await each({ headers: { Origin: "https://invented.example" } }, 403, "origin-not-allowed");
});

test("200 · requests without an Origin and from the first-party origin are accepted", async () => {
  for (const Origin of [null, FIRST_PARTY])
    for (const [method, path] of routes)
      if (method === "GET") {
        const answer = await service.get(path, { headers: { Origin } });
        assert.equal(answer.status, 200, `${path} ${answer.text}`);
      }
});
