import assert from "node:assert/strict";
import { test } from "node:test";
import type { PresetCode } from "../../../src/access/rights.ts";
import { presetRoles } from "../../../src/features/roles/preset-roles.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";

/** The list of the interface, with the permissions of types that come later. The manifests combined must agree with it. */

const trainee = ["cells:read", "cell-memberships:read", "cell-meetings:read"];

const leader = [
  ...trainee,
  "people:read",
  "person-contacts:write",
  "prospects:write",
  "cell-texts:write",
  "cell-memberships:write",
  "cell-join-requests:write",
  "cell-join-requests:approve",
  "cell-meetings:write",
  "cell-meetings:report",
  "cell-multiplications:write",
  "forms:read",
  "form-submissions:read",
  "notes:write",
];

const supervisor = [
  ...leader,
  "cells:write",
  "cell-multiplications:approve",
  "role-assignments:write",
  "role-assignments:delete",
];

const teacher = [
  "people:read",
  "courses:read",
  "course-lessons:read",
  "course-classes:write",
  "course-sessions:write",
  "course-enrollments:write",
  "course-attendances:write",
  "course-materials:write",
  "course-tasks:read",
  "course-task-completions:write",
  "notes:write",
];

const coordinator = [
  ...teacher,
  "courses:write",
  "course-lessons:write",
  "course-tasks:write",
  "course-requirements:write",
  "course-enrollments:approve",
  "forms:write",
  "form-submissions:write",
  "role-assignments:write",
  "role-assignments:delete",
];

/** Everything about households, tags and notes that the office does. */
const records = ["households:write", "households:delete", "tags:write", "notes:write"];

const secretary = [
  ...records,
  "people:write",
  "people:merge",
  "person-details:read",
  "person-invitations:write",
  "import-jobs:write",
  "cells:read",
  "cell-memberships:write",
  "cell-join-requests:write",
  "cell-meetings:read",
  "courses:read",
  "course-classes:read",
  "course-lessons:read",
  "course-requirements:read",
  "course-enrollments:write",
  "course-attendances:read",
  "forms:read",
  "form-submissions:read",
  "role-assignments:read",
];

const pastor = [...new Set([...secretary, ...supervisor, ...coordinator, "accounts:read"])].filter(
  (one) => one !== "import-jobs:write",
);

const administrator = [
  ...pastor,
  "import-jobs:write",
  "accounts:write",
  "roles:write",
  "roles:delete",
  "cells:delete",
  "courses:delete",
  "forms:delete",
  "form-submissions:delete",
  "cell-memberships:delete",
  "notes:delete",
];

const interfaceList: Record<PresetCode, readonly string[]> = {
  administrator,
  pastor,
  secretary,
  "cell-supervisor": supervisor,
  "cell-leader": leader,
  "cell-trainee": trainee,
  "course-coordinator": coordinator,
  teacher,
  "form-manager": ["forms:write", "form-submissions:write"],
  "auditor": ["audit-entries:read"],
  "member": [],
};

const { declared } = describedCatalogue;
const byName = (a: string, b: string) => a.localeCompare(b);

/** `write` includes `read`. Permissions that no manifest declares belong to types of later versions. */
function effective(codes: readonly string[]): string[] {
  const read = codes.map((one) => one.replace(/:write$/, ":read"));
  const known: ReadonlySet<string> = declared.permissions;
  const all = new Set([...codes, ...read].filter((one) => known.has(one)));
  return [...all].toSorted(byName);
}

for (const { code } of presetRoles)
  test(`the permissions of ${code} are those of the interface`, () => {
    assert.deepEqual(effective(declared.presets.get(code) ?? []), effective(interfaceList[code]));
  });

test("only full administrators delete people, and no preset role reads confidential notes", () => {
  for (const permission of ["people:delete", "note-confidential:read"])
    for (const [code, granted] of declared.presets)
      assert.ok(!granted.some((one) => one === permission), `${code} ${permission}`);
});

test("every permission except confidential notes is in a preset role", () => {
  const granted = new Set([...declared.presets.values()].flatMap((codes) => effective(codes)));
  const unheld = [...declared.permissions].filter((one) => !granted.has(one));
  assert.deepEqual(
    unheld.filter((one) => one !== "note-confidential:read"),
    [],
  );
});
