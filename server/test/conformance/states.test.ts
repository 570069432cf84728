import assert from "node:assert/strict";
import { after, test } from "node:test";
import { transitionsOf } from "../../src/base/transitions.ts";
import { assignments } from "../../src/store/sql.ts";
import { makeRow } from "../support/make.ts";
import { codes, document, one } from "../support/service.ts";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";
import { unchanged } from "./unchanged.ts";

/** The states that manifests declare are the ones that the service keeps. */
const service = await startStage();
after(() => service.stop());
const { account, db } = service;
const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));

interface Needs {
  /** Columns of a row with a status. */
  columns?: (status: string) => Record<string, string | null>;
  /** Attributes that a change to a status needs. */
  attributes?: (to: string) => Record<string, unknown>;
  prepare?: () => Promise<void>;
}

const now = new Date().toISOString();
const needs: Readonly<Record<string, Needs>> = {
  // Only the requester cancels.
  "cell-join-requests": { columns: () => ({ created_by: account.administrator.id }) },
  "cell-meetings": {
    columns: (status) => ({
      submitted_at: ["held", "not-held"].includes(status) ? now : null,
      not_held_reason: status === "not-held" ? "Storm" : null,
    }),
    attributes: (to) => (to === "not-held" ? { "not-held-reason": "Storm" } : {}),
  },
  "course-enrollments": {
    // The tests of classes leave the class cancelled.
    prepare: async () => {
      await db`update course_classes set status = 'open' where account_id = ${account.id}`;
    },
    // The student attended no lesson.
    attributes: (to) =>
      to === "completed" ? { "graduation-waived": true, "waiver-note": "By exam" } : {},
  },
  "forms": {
    // A form with submissions is no draft again. They belong to another form here.
    prepare: async () => {
      const other = await makeRow(db, "forms", account.id, { name: "Other", fields: "[]" });
      await db`update form_submissions set form_id = ${other} where account_id = ${account.id}`;
    },
  },
};

const SENDABLE = ["optional", "defaulted", "required"];

for (const { changes, statuses, type } of catalogue.states) {
  const resource = catalogue.resources.get(type);
  const status = resource?.attributes["status"];
  assert.ok(resource && status, `${type} has no status.`);

  test(`${type}: the declared statuses are those of the attribute and of the changes`, () => {
    const { enum: choices } = status.schema as { enum: string[] };
    for (const each of statuses) assert.ok(choices.includes(each), each);
    for (const { becomes, from, to } of changes) {
      for (const each of [from, ...to]) assert.ok(choices.includes(each), each);
      for (const each of [from, ...(becomes ? [becomes] : to)])
        assert.ok(statuses.includes(each), each);
    }
  });

  if (!resource.operations.update || !SENDABLE.includes(status.mode)) continue;
  const id = rows.get(type) ?? "";
  const path = `/v1/${type}/${id}`;
  const { attributes, columns, prepare } = needs[type] ?? {};
  const send = (to: string) =>
    service.patch(path, document(type, { status: to, ...attributes?.(to) }, { id }));
  const transitions = transitionsOf(statuses, changes);

  for (const from of statuses)
    test(`${type}: each change from ${from} is 200, and any other is 409`, async () => {
      const begin = () => db`
        update ${db(resource.table)} set ${assignments({ status: from, ...columns?.(from) })}
        where account_id = ${account.id} and id = ${id}`;
      await prepare?.();
      await begin();
      const present = await service.get(path);
      assert.equal(one(present).attributes["status"], from);
      const same = await send(from);
      assert.equal(same.status, 200, same.text);
      assert.equal(unchanged(resource, same), unchanged(resource, present));

      const allowed = transitions[from] ?? [];
      for (const to of statuses.filter((each) => each !== from && !allowed.includes(each))) {
        const refused = await send(to);
        assert.deepEqual([refused.status, codes(refused)], [409, ["invalid-transition"]], to);
        const { "request-id": _, ...meta } = refused.document.errors?.[0]?.meta ?? {};
        assert.deepEqual(meta, { from, to, allowed });
      }
      for (const to of allowed) {
        await begin();
        const changed = await send(to);
        assert.equal(changed.status, 200, changed.text);
        const { becomes = to } =
          changes.find((one) => one.from === from && one.to.includes(to)) ?? {};
        assert.equal(one(changed).attributes["status"], becomes);
      }
    });
}
