import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { limits } from "../../../src/base/limits.ts";
import { revokeTokens } from "../../../src/access/logins.ts";
import { makeAssignment, makeRow } from "../../support/make.ts";
import { codes, etag, startService, type TestService } from "../../support/service.ts";
import { cookieFor, inSession } from "../../support/session.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";

interface Ability {
  "permission": string;
  "scope-type": string;
  "ids": string[] | null;
  "is-derived": boolean;
}

interface Bootstrap {
  person: Record<string, unknown>;
  account: Record<string, unknown>;
  abilities: Ability[];
  leads: unknown[];
  teaches: unknown[];
  session: { "expires-at": string; "remember": boolean };
  service: Record<string, unknown>;
}

let service: TestService;
before(async () => {
  service = await startService({ throttleKey: Buffer.alloc(32, 3), sendsMail: true });
});
after(() => service.stop());

const ask = (cookie: string, headers: Record<string, string> = {}) =>
  service.get("/session", inSession(cookie, { headers }));
const read = async (cookie: string) => JSON.parse((await ask(cookie)).text) as Bootstrap;

/** Moves the recorded times of a person's tokens into the past. */
const passes = (personId: string, hours: number) => service.db`
  update access_tokens set
    created_at = created_at - make_interval(hours => ${hours}),
    last_used_at = last_used_at - make_interval(hours => ${hours}),
    expires_at = expires_at - make_interval(hours => ${hours})
  where account_id = ${service.account.id} and person_id = ${personId}`;

const hoursLeft = ({ session }: Bootstrap): number =>
  Math.round((Date.parse(session["expires-at"]) - Date.now()) / 3_600_000);

describe("GET /session", () => {
  test("200 · a full administrator holds every permission in the account", async () => {
    const { db, account } = service;
    const { email, id } = await makeLogin(db, account, "full", {
      administrativeStatus: "full-administrator",
    });
    const shown = await read(await cookieFor(service, email));
    assert.deepEqual(shown.person, {
      "id": id,
      "full-name": "full",
      "preferred-name": null,
      "photo-url": null,
      "locale": null,
      "administrative-status": "full-administrator",
    });
    assert.deepEqual(Object.keys(shown.account), [
      "id",
      "church-name",
      "settings",
      "custom-properties",
      "alias",
      "logo-url",
    ]);
    assert.deepEqual(
      shown.abilities.map(({ permission }) => permission),
      [...describedCatalogue.declared.permissions].sort(),
    );
    assert.ok(shown.abilities.every((one) => one["scope-type"] === "account"));
    assert.equal(shown.service["mail"], true);
    assert.deepEqual(shown.service["limits"], { "upload-bytes": limits.attachmentBytesMax });
  });

  test("200 · a leader and teacher sees own groups, classes and derived rights", async () => {
    const { db, account } = service;
    const { email, id } = await makeLogin(db, account, "lena");
    const cell = await makeRow(db, "cells", account.id, { name: "North" });
    await makeRow(db, "cells", account.id, { name: "Another" });
    await makeRow(db, "cell_memberships", account.id, {
      cell_id: cell,
      person_id: id,
      cell_role: "leader",
    });
    const course = await makeRow(db, "courses", account.id, { name: "Foundations" });
    const taught = await makeRow(db, "course_classes", account.id, {
      course_id: course,
      name: "Autumn",
    });
    await db`
      insert into course_class_teachers (account_id, class_id, person_id)
      values (${account.id}, ${taught}, ${id})`;
    await makeAssignment(db, account.id, {
      personId: id,
      role: "secretary",
    });
    const { abilities, leads, teaches } = await read(await cookieFor(service, email));
    assert.deepEqual(leads, [{ id: cell, name: "North" }]);
    assert.deepEqual(teaches, [{ "id": taught, "name": "Autumn", "course-id": course }]);
    const ability = (permission: string, scope: string) =>
      abilities.find((one) => one.permission === permission && one["scope-type"] === scope);
    assert.deepEqual(ability("cell-meetings:report", "cell"), {
      "permission": "cell-meetings:report",
      "scope-type": "cell",
      "ids": [cell],
      "is-derived": true,
    });
    assert.equal(ability("people:write", "account")?.["is-derived"], false);
    assert.equal(ability("people:read", "account")?.["is-derived"], false);
    assert.deepEqual(ability("people:write", "self")?.ids, []);
  });

  test("304 · the ETag stands for the whole answer", async () => {
    const { email, id } = await makeLogin(service.db, service.account, "etag");
    const cookie = await cookieFor(service, email);
    const first = await ask(cookie);
    const same = await ask(cookie, { "If-None-Match": etag(first) });
    assert.deepEqual([same.status, same.text], [304, ""]);
    assert.equal(same.headers.get("cache-control"), "no-store");
    await makeAssignment(service.db, service.account.id, { personId: id, role: "secretary" });
    assert.equal((await ask(cookie, { "If-None-Match": etag(first) })).status, 200);
  });

  test("401 · without a session, the page that logs in learns whether mail works", async () => {
    const answer = await service.get("/session", { as: null });
    assert.deepEqual([answer.status, codes(answer)], [401, ["credentials-missing"]]);
    assert.equal(answer.document.errors?.[0]?.meta["mail"], true);
    const ended = await ask(`vestry=vbt_${"A".repeat(64)}`);
    assert.deepEqual([ended.status, codes(ended)], [401, ["credentials-invalid"]]);
    assert.equal(ended.document.errors?.[0]?.meta["mail"], true);
    const bearer = await service.get("/session");
    assert.deepEqual([bearer.status, codes(bearer)], [401, ["credentials-missing"]]);
  });

  test("200 · use prolongs a session once an hour, up to 90 days", async () => {
    const { email, id } = await makeLogin(service.db, service.account, "idle");
    const cookie = await cookieFor(service, email);
    await service.db`
      update access_tokens set expires_at = now() + interval '5 hours'
      where account_id = ${service.account.id} and person_id = ${id}`;
    assert.equal(hoursLeft(await read(cookie)), 5);
    await passes(id, 2);
    assert.equal(hoursLeft(await read(cookie)), 12);

    const remembered = await cookieFor(service, email, { remember: true });
    await passes(id, 24);
    assert.equal(hoursLeft(await read(remembered)), 30 * 24);
    await service.db`
      update access_tokens set created_at = now() - interval '88 days', last_used_at = now() - interval '2 hours'
      where account_id = ${service.account.id} and person_id = ${id}`;
    assert.equal(hoursLeft(await read(remembered)), 2 * 24);
  });

  test("401 · a session ends after 12 hours without use", async () => {
    const { email, id } = await makeLogin(service.db, service.account, "late");
    const cookie = await cookieFor(service, email);
    await passes(id, 12);
    const answer = await ask(cookie);
    assert.deepEqual([answer.status, codes(answer)], [401, ["credentials-invalid"]]);
  });

  test("401 · sessions end like access tokens", async () => {
    const { db, account } = service;
    const { email, id, token } = await makeLogin(db, account, "ended");
    const key = { accountId: account.id, personId: id };
    const statusOf = async (cookie: string) => (await ask(cookie)).status;

    const kept = await cookieFor(service, email);
    const other = await cookieFor(service, email);
    const change = await service.post(
      "/v1/password-changes",
      {
        data: {
          type: "password-changes",
          attributes: { "current-password": PASSWORD, "new-password": PASSWORD },
        },
      },
      inSession(kept),
    );
    assert.equal(change.status, 204);
    assert.deepEqual([await statusOf(kept), await statusOf(other)], [200, 401]);
    assert.equal((await service.get("/v1/people/me", { as: token })).status, 401);

    await revokeTokens(db, key);
    assert.equal(await statusOf(kept), 401);

    const inactive = await cookieFor(service, email);
    await db`update people set is_active = false where account_id = ${account.id} and id = ${id}`;
    assert.equal(await statusOf(inactive), 401);
  });
});
