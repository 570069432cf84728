import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeCell } from "../../support/cells.ts";
import { makeOpenClass } from "../../support/courses.ts";
import { makeCourse } from "../../support/make.ts";
import { document, pointers, startService } from "../../support/service.ts";
import { to } from "../../support/standings.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const UNSEEN = ["", "   ", "\u200b", "\u202e\ufeff", "\u2060 \u00ad", "\u3164", "\u0007", "\u2800"];

const SIZE = "custom-properties/people/size";

/** Attributes that contain a name: the type, the attributes to send, and the pointer to the name. */
const names = [
  ["people", (name) => ({ "full-name": name }), "full-name"],
  ["people", (name) => ({ "emergency-contact": { name } }), "emergency-contact/name"],
  ["people", (kind) => identified({ kind }), "identity-documents/0/kind"],
  ["accounts", (name) => ({ "church-name": name }), "church-name"],
  ["accounts", (label) => levels({ level: 1, label }), "settings/cell-levels/0/label"],
  ["accounts", (label) => statuses({ member: label }), "settings/member-statuses/member"],
  ["accounts", (label) => field({ type: "string", label }), `${SIZE}/label`],
  ["accounts", (value) => field(options({ value })), `${SIZE}/options/0/value`],
  ["accounts", (label) => field(options({ value: "a", label })), `${SIZE}/options/0/label`],
  ["courses", (name) => ({ name }), "name"],
] as const satisfies Names;

/** The same for names that may be null. */
const namesOrNull = [
  ["people", (name) => ({ "first-name": name }), "first-name"],
  ["people", (name) => ({ "last-name": name }), "last-name"],
  ["people", (name) => ({ "preferred-name": name }), "preferred-name"],
  ["people", (name) => ({ "former-name": name }), "former-name"],
  ["people", (name) => ({ "previous-church": name }), "previous-church"],
  ["people", (label) => ({ phones: [{ number: "+351210000000", label }] }), "phones/0/label"],
  ["accounts", (name) => ({ acronym: name }), "acronym"],
  ["accounts", (label) => ({ settings: { "cell-label": label } }), "settings/cell-label"],
  ["accounts", (label) => ({ settings: { "cells-label": label } }), "settings/cells-label"],
  ["courses", (name) => ({ code: name }), "code"],
  ["courses", (name) => ({ category: name }), "category"],
] as const satisfies Names;

type Names = readonly (readonly [string, (name: unknown) => Record<string, unknown>, string])[];
const identified = (one: object) => ({ "identity-documents": [{ number: "1", ...one }] });
const levels = (...all: object[]) => ({ settings: { "cell-levels": all } });
const statuses = (all: object) => ({ settings: { "member-statuses": all } });
const field = (size: object) => ({ "custom-properties": { people: { size } } });
const options = (option: object) => ({ type: "select", options: [option] });

const ids: Record<string, string> = {
  people: account.administrator.id,
  accounts: account.id,
  courses: await makeCourse(db, account.id),
};
const patch = (type: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/${type}/${ids[type]}`, document(type, attributes, { id: ids[type] ?? "" }));
const register = (name: unknown) =>
  service.post(
    "/v1/webhook-endpoints",
    document("webhook-endpoints", {
      name,
      url: `https://receiver.example/${newId()}`,
      events: ["person.created"],
    }),
  );

test("422 · a name without visible characters is rejected everywhere", async () => {
  for (const [type, sent, at] of [...names, ...namesOrNull])
    for (const unseen of UNSEEN) {
      const answer = await patch(type, sent(unseen));
      const what = `${type} ${at} ${JSON.stringify(unseen)}: ${answer.text}`;
      assert.deepEqual([answer.status, ...pointers(answer)], [422, `/data/attributes/${at}`], what);
      assert.match(answer.document.errors?.[0]?.detail ?? "", /^Must not be blank/);
    }
  for (const unseen of UNSEEN) {
    const answer = await register(unseen);
    assert.deepEqual([answer.status, ...pointers(answer)], [422, "/data/attributes/name"]);
  }
});

test("200 · a name with visible characters is accepted, and so is null for an optional name", async () => {
  for (const [type, sent, at] of [...names, ...namesOrNull])
    assert.equal((await patch(type, sent("\u200bשלום\u200f"))).status, 200, at);
  for (const [type, sent, at] of namesOrNull)
    assert.equal((await patch(type, sent(null))).status, 200, at);
  for (const name of ["\u200bשלום\u200f", null]) {
    const answer = await register(name);
    assert.equal(answer.status, 201, answer.text);
  }
});

test("422 · texts of one line have no control characters, wherever a document names them", async () => {
  const { id: administrator } = account.administrator;
  const cell = await makeCell(db, account.id);
  const { classId } = await makeOpenClass(db, account.id);
  const about = { cell: to("cells", cell), class: to("course-classes", classId) };
  for (const control of ["\r\n", "\n", "\t", "\u0007", "\u0085", "\u2028", "\u202e", "\u2066"]) {
    const name = `Ana${control}Bcc: all@church.example`;
    const sent: [string, Record<string, unknown>, Record<string, unknown>, string][] = [
      ["people", { "full-name": name }, {}, "full-name"],
      ["households", { name }, {}, "name"],
      ["tags", { name, "applies-to": ["people"] }, {}, "name"],
      ["roles", { name }, {}, "name"],
      [
        "cell-meetings",
        { date: "2026-01-15", visitors: [{ "full-name": name }] },
        { cell: about.cell },
        "visitors/0/full-name",
      ],
      [
        "cell-join-requests",
        { contact: { "full-name": name, "email": "ana@church.example" } },
        { cell: about.cell },
        "contact/full-name",
      ],
      ["cell-closings", { "closing-reason": name }, { cell: about.cell }, "closing-reason"],
      [
        "cell-multiplications",
        { "new-cell": { name } },
        { "parent-cell": about.cell },
        "new-cell/name",
      ],
      [
        "course-enrollments",
        { "new-person": { "full-name": name } },
        { class: about.class },
        "new-person/full-name",
      ],
    ];
    for (const [type, attributes, relationships, at] of sent) {
      const answer = await service.post(
        `/v1/${type}`,
        document(type, attributes, { relationships }),
      );
      const what = `${type} ${JSON.stringify(control)} ${answer.text}`;
      assert.deepEqual([answer.status, ...pointers(answer)], [422, `/data/attributes/${at}`], what);
    }
    const occupied = await service.patch(
      `/v1/people/${administrator}`,
      document("people", { occupation: name }, { id: administrator }),
    );
    assert.equal(occupied.status, 422);
    assert.equal(
      occupied.document.errors?.[0]?.detail,
      "Must be one line without control characters.",
    );
  }
  const described = await service.post(
    "/v1/roles",
    document("roles", { name: "Greeters of two lines", description: "First\nsecond" }),
  );
  assert.equal(described.status, 201, described.text);
});
