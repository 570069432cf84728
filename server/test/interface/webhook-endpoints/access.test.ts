import assert from "node:assert/strict";
import { test } from "node:test";
import { fullAdministrator } from "../../../src/access/policy.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { computedListOf, policyOf } from "../../../src/jsonapi/definition/operations.ts";

/** test/kernel/commands.test.ts attacks the routes of types like these. */

const { commands, resources } = describedCatalogue;

const isWebhook = ({ type }: { type: string }) => type.startsWith("webhook-");

test("403 · only full administrators manage webhooks, with only a bearer token", () => {
  const types = [...resources.values()].filter(isWebhook);
  assert.ok(types.length >= 5);
  for (const resource of types) {
    assert.equal(resource.callers, "webhook-management", resource.type);
    assert.equal(computedListOf(resource), undefined, resource.type);
    for (const [verb, operation] of Object.entries(resource.operations))
      assert.equal(policyOf(operation), fullAdministrator, `${verb} ${resource.type}`);
  }
  const asked = [...commands.values()].filter(isWebhook);
  assert.ok(asked.length >= 3);
  for (const { allow, callers, type } of asked)
    assert.deepEqual([callers, allow], ["webhook-management", fullAdministrator], type);
});
