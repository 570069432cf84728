import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newAccessToken } from "../../src/access/tokens.ts";
import { newId } from "../../src/base/ids.ts";
import { onObservation } from "../../src/base/observe.ts";
import { isLinkable, isWritable, targetTypes } from "../../src/jsonapi/definition/relationships.ts";
import { addToTree } from "../../src/features/cells/tree.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { join, makeCell } from "../support/cells.ts";
import { copyAccount } from "../support/copy-account.ts";
import { makeEnrollment } from "../support/courses.ts";
import { isChanged } from "../support/changed-types.ts";
import { makePerson } from "../support/make.ts";
import { sample } from "../support/sample.ts";
import type { Answer } from "../support/service.ts";
import { change } from "./attempts.ts";
import { exampleOf, furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";

/**
 * Every pair of writes that name the same person, cell or class, at the same time. Each pair has an account of its own, with a row
 * of every type. The writes and most of their documents come from the catalogue.
 */

const service = await startStage();
after(() => service.stop());
const { account, db } = service;

const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));
const idOf = (type: string): string => rows.get(type) ?? assert.fail(type);
await addToTree(db, account.id, { cellId: idOf("cells"), parentId: null });
const { id: other } = await makePerson(db, account.id);
await join(db, account.id, idOf("cells"), other);
const otherEnrollment = await makeEnrollment(db, account.id, idOf("course-classes"), {
  person_id: other,
});
const otherCell = await makeCell(db, account.id);

// A plan needs a schedule.
await db`
  update course_classes set starts = '2026-03-01', ends = '2026-04-01',
    schedule = '[{"weekday": 3, "starts-at": 1140, "ends-at": 1230}]'
  where account_id = ${account.id}`;

const shared = ["people", "cells", "course-classes"];

interface Write {
  type: string;
  name: string;
  method: string;
  path: string;
  body?: unknown;
  /** Which of the shared resources it names. */
  names: ReadonlySet<string>;
}

interface Sent {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

const to = (type: string, ...ids: string[]) =>
  ids.length === 1 ? { data: { type, id: ids[0] } } : { data: ids.map((id) => ({ type, id })) };
const all = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) });
const person = () => idOf("people");
const attendance = [other, person()].map((id) => ({ "person-id": id, "status": "present" }));

/** Members that an example cannot know: several people, another cell. */
const creations: Record<string, Sent> = {
  "cell-closings": { relationships: { "moved-to": to("cells", otherCell) } },
  "cell-join-requests": {
    // An example has a contact instead of a person.
    attributes: { contact: undefined },
    relationships: { cell: to("cells", otherCell), person: to("people", other) },
  },
  "cell-meetings": {
    attributes: {
      date: "2026-03-04",
      status: "held",
      attendance,
      visitors: [{ "full-name": "Noa" }],
    },
  },
  "cell-memberships": {
    relationships: { cell: to("cells", otherCell), person: to("people", other) },
  },
  "cell-multiplications": {
    attributes: { "new-cell": { name: "Second" } },
    relationships: {
      members: all("people", other, person()),
      leaders: all("people", other),
    },
  },
  "cell-transfers": { relationships: { "to-cell": to("cells", otherCell) } },
  "course-attendance-sheets": {
    attributes: {
      entries: [otherEnrollment, idOf("course-enrollments")].map((id) => ({
        "enrollment-id": id,
        "status": "present",
      })),
    },
  },
  "course-attendances": {
    relationships: { enrollment: to("course-enrollments", otherEnrollment) },
  },
  "course-task-completions": {
    attributes: { text: "Text" },
    relationships: {
      task: to("course-tasks", idOf("course-tasks")),
      enrollment: to("course-enrollments", otherEnrollment),
    },
  },
  "households": { relationships: { "primary-contact": to("people", person()) } },
  "household-memberships": { relationships: { person: to("people", other) } },
  "notes": {
    relationships: { about: to("people", person()), assignee: to("people", other) },
  },
  "person-merges": {
    relationships: { kept: to("people", other), removed: all("people", person()) },
  },
  "role-assignments": { attributes: { "scope-type": "account", "scope-ids": [] } },
};

/** Changes with effects on other rows, beside that of a text. */
const changes: Record<string, readonly Sent[]> = {
  "cell-join-requests": [{ attributes: { status: "approved" } }],
  "cell-meetings": [{ attributes: { status: "held", attendance } }],
  "cell-memberships": [
    { attributes: { "cell-role": "participant" } },
    { attributes: { status: "left" } },
  ],
  "cell-multiplications": [{ attributes: { status: "approved" } }],
  "cells": [{ attributes: { weekday: 2 }, relationships: { parent: { data: null } } }],
  "course-classes": [{ attributes: { seats: 1 } }],
  "course-enrollments": [{ attributes: { status: "withdrawn" } }],
  "course-sessions": [{ attributes: { date: "2026-03-05" } }],
  "course-task-completions": [{ attributes: { status: "accepted" } }],
  "courses": [{ attributes: { "graduation-mode": "automatic" } }],
  "course-enrollment-requests": [{ attributes: { "decline-reason": "Full" } }],
  "form-submissions": [
    { attributes: { status: "processed" } },
    { relationships: { person: to("people", other) } },
  ],
  "forms": [
    {
      attributes: {
        actions: {
          "create-or-match-person": true,
          "add-to-cell": otherCell,
          "enroll-in-class": idOf("course-classes"),
          "notify": [other, person()],
        },
      },
      relationships: { owner: to("people", other) },
    },
  ],
  "household-memberships": [{ attributes: { "is-primary": true } }],
  "households": [{ relationships: { "primary-contact": to("people", other) } }],
  "notes": [{ relationships: { assignee: to("people", other) } }],
  "people": [{ attributes: { "is-active": false } }],
};

/** The shared resources that a row of the type, or a document of it, names. */
function namesOf(resource: Resource): ReadonlySet<string> {
  const named = Object.values(resource.relationships).flatMap((one) =>
    "dangling" in one ? [] : targetTypes(one),
  );
  return new Set([resource.type, ...named].filter((type) => shared.includes(type)));
}

function creation(resource: Resource): unknown {
  const { attributes = {}, relationships = {} } = creations[resource.type] ?? {};
  const required = Object.entries(resource.attributes).filter(
    ([, { example, mode, onlyCreated }]) =>
      mode === "required" || (onlyCreated && example !== undefined),
  );
  const linked = Object.entries(resource.relationships).filter(
    ([, one]) => one.required && isWritable(one, "new"),
  );
  return {
    data: {
      type: resource.type,
      attributes: {
        ...Object.fromEntries(required.map(([name, one]) => [name, exampleOf(one)])),
        ...attributes,
      },
      relationships: {
        ...Object.fromEntries(
          linked.map(([name, { kind, target }]) => [
            name,
            kind === "to-one" ? to(target, idOf(target)) : all(target, idOf(target)),
          ]),
        ),
        ...relationships,
      },
    },
  };
}

function* writesOf(resource: Resource): Generator<Omit<Write, "names" | "type">> {
  const { operations, type } = resource;
  const path = `/v1/${type}`;
  if (operations.create)
    yield { name: `create ${type}`, method: "POST", path, body: creation(resource) };
  const id = rows.get(type);
  if (id === undefined) return;
  const one = `${path}/${id}`;
  if (operations.update) {
    const patch = (what: string, body: unknown) => ({
      name: `change ${what} of ${type}`,
      method: "PATCH",
      path: one,
      body,
    });
    yield patch("a text", change(resource, id));
    for (const sent of changes[type] ?? [])
      yield patch(JSON.stringify(sent), { data: { type, id, ...sent } });
    for (const [name, relationship] of Object.entries(resource.relationships))
      if (relationship.kind === "to-many" && relationship.target === "people")
        if (isLinkable(relationship))
          yield {
            name: `link ${name} of ${type}`,
            method: "POST",
            path: `${one}/relationships/${name}`,
            body: all("people", other),
          };
  }
  if (operations.delete) yield { name: `delete ${type}`, method: "DELETE", path: one };
}

const writes: Write[] = [...catalogue.resources.values()].flatMap((resource) => {
  const names = namesOf(resource);
  // Every write belongs to the account. Types with a versionTag belong to other callers.
  if (names.size === 0 || resource.versionTag !== undefined || resource.type === "accounts")
    return [];
  return [...writesOf(resource)].map((write) => ({ ...write, type: resource.type, names }));
});

type Pair = readonly [Write, Write];

const pairs: Pair[] = writes.flatMap((first, place) =>
  writes
    .slice(place + 1)
    .filter((second) => [...first.names].some((name) => second.names.has(name)))
    .map((second) => [first, second] as const),
);

const nameOf = (together: readonly Write[]): string => together.map(({ name }) => name).join(" × ");

const SHARE = 18;

const chosen = sample(pairs, {
  what: "pairs of writes",
  count: Math.ceil(pairs.length / SHARE),
  nameOf,
  always: (pair) => pair.some(({ type }) => isChanged(type)),
  alwaysMax: Math.ceil(pairs.length / SHARE),
});

const AT_ONCE = 6;
const COPIES_AT_ONCE = 120;

/** Acts once for each item, in a copy of the account that is its own. */
async function inCopies<T>(
  items: readonly T[],
  act: (item: T, send: (write: Write) => Promise<Answer>, accountId: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += COPIES_AT_ONCE) {
    const copies = items.slice(from, from + COPIES_AT_ONCE).map((item) => {
      const id = newId();
      return { id, item, ...newAccessToken(id) };
    });
    const accounts = copies.map(({ id }) => id);
    await copyAccount(db, account.id, accounts);
    await db`
      insert into access_tokens (account_id, token_hash, id, person_id, expires_at)
      select account, hash, account, ${account.administrator.id}::uuid, now() + interval '1 day'
      from unnest(${accounts}::uuid[], ${copies.map(({ hash }) => hash)}::bytea[]) as made (account, hash)`;
    const work = async () => {
      for (let next = copies.shift(); next; next = copies.shift()) {
        const { id, item, token: as } = next;
        const send = ({ body, method, path }: Write) => service.request(method, path, { as, body });
        await act(item, send, id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

test(`no 5xx · ${pairs.length} pairs of writes of the same person, cell or class at the same time`, async (t) => {
  const repeated: string[] = [];
  const end = onObservation((one) => {
    if (one.kind === "transaction-repeated") repeated.push(one.accountId);
  });
  const pairOf = new Map<string, string>();
  const failed: string[] = [];
  await inCopies(chosen, async (pair, send, id) => {
    pairOf.set(id, nameOf(pair));
    const answers = await Promise.all(pair.map(send));
    for (const [place, { status, text }] of answers.entries())
      if (status >= 500) failed.push(`${nameOf(pair)}: ${pair[place]?.name} ${text}`);
  });
  end();
  t.diagnostic(
    `${chosen.length} of ${pairs.length} pairs, ${repeated.length} transactions repeated`,
  );
  for (const id of repeated) t.diagnostic(pairOf.get(id) ?? id);
  assert.deepEqual(failed, []);
});

/** Writes that only succeed after another one. */
const afterAnother: Record<string, string> = {
  "create cell-reopenings": "create cell-closings",
  'change {"attributes":{"status":"approved"}} of cell-join-requests': "delete cell-memberships",
  [`change {"relationships":{"primary-contact":${JSON.stringify(to("people", other))}}} of households`]:
    "create household-memberships",
};

/** The memberships of the stage are not as its transfer left them. The locks come before that is asked. */
const refusedHere: ReadonlySet<string> = new Set(["delete cell-transfers"]);

// A write that never succeeds locks little, so that its pairs prove nothing.
test(`2xx · ${writes.length} writes, each by itself`, async () => {
  const refused: string[] = [];
  await inCopies(writes, async (write, send) => {
    const first = writes.find(({ name }) => name === afterAnother[write.name]);
    if (first) await send(first);
    const answer = await send(write);
    if (answer.status >= 300 && !refusedHere.has(write.name))
      refused.push(`${write.name}: ${answer.text}`);
  });
  assert.deepEqual(refused, []);
});
