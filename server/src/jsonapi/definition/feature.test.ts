import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "../../access/permissions.ts";
import { can } from "../../access/policy.ts";
import type { PresetCode } from "../../access/rights.ts";
import { text } from "./attributes.ts";
import { catalogueOfFeatures, type Feature } from "./feature.ts";
import { resource } from "./resource.ts";

const undeclared = "doors:read" as string as Permission;

const doors = resource({
  type: "doors",
  description: "A door.",
  table: "doors",
  attributes: { name: text({ maxLength: 40 }) },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { list: can(undeclared), read: can(undeclared) },
});

const rejects = (mistake: string, ...features: Feature[]) =>
  assert.throws(
    () => catalogueOfFeatures(features),
    (error: Error) => error.message.split("\n  ").includes(mistake),
  );

test("a permission that no manifest declares does not compile", () => {
  // @ts-expect-error: no manifest declares it.
  assert.deepEqual(can("doors:read"), { kind: "permission", permissions: ["doors:read"] });
});

test("a permission that no manifest declares does not start", () => {
  rejects("doors requires doors:read, which no manifest declares.", { types: [doors] });
  rejects("A manifest grants doors:read, a permission it does not declare.", {
    presets: { teacher: [undeclared] },
  });
  catalogueOfFeatures([{ types: [doors], permissions: [undeclared] }]);
});

test("two manifests cannot declare one permission or one event type", () => {
  const events = {
    "door.opened": { description: "A door was opened.", personal: "none" },
  } as const;
  const eventExamples = { door: { type: "doors", attributes: {} } };
  rejects("doors:read is declared twice.", ...[1, 2].map(() => ({ permissions: [undeclared] })));
  rejects("door.opened is declared twice.", ...[1, 2].map(() => ({ events, eventExamples })));
  rejects("door.opened has no example of a door.", { events });
});

test("a preset role has the permissions that all features grant it", () => {
  const role = (code: PresetCode) => ({ code, name: code, description: "A role." });
  const { declared } = catalogueOfFeatures([
    { presetRoles: [role("teacher"), role("auditor")] },
    { permissions: ["people:read"], presets: { teacher: ["people:read"] } },
    { permissions: ["cells:read"], presets: { teacher: ["cells:read"] } },
  ]);
  assert.deepEqual(declared.presets.get("teacher"), ["people:read", "cells:read"]);
  assert.deepEqual(declared.presets.get("auditor"), []);
});
