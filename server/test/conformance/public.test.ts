import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { allowIntegration, createIntegration } from "../../src/access/integrations.ts";
import { newId } from "../../src/base/ids.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { makeAccount } from "../support/make.ts";
import { type Answer, codes, ids, many, one } from "../support/service.ts";
import { openPublicArea, visitorOf, WEBSITE } from "../support/visits.ts";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";

/** Every type of the public area, with every kind of caller. The routes are derived from the catalogue. */

const service = await startStage();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
const OTHER_WEBSITE = "https://www.other.example";

const own = await furnish(db, catalogue, account, specialMakers(db, account.id));
const theirs = await furnish(db, catalogue, other, specialMakers(db, other.id));
for (const table of ["cells", "courses", "course_classes"])
  await db`update ${db(table)} set is_public = true`;
await db`update course_classes set status = 'open'`;
await db`
  update forms set status = 'open', requires_login = false, opens_at = null, closes_at = null, max_submissions = null`;

beforeEach(async () => {
  await db`update accounts set status = 'active'`;
  await openPublicArea(db, account.id, { "public-area": true });
  await openPublicArea(db, other.id, { "public-origins": [OTHER_WEBSITE] });
});

const types = [...catalogue.publicTypes.values()];
const idOf = (rows: ReadonlyMap<string, string>, resource: Resource): string =>
  rows.get(resource.type) ?? "";
const listOf = ({ type }: Resource) => `/p/v1/${type}`;
const pathsOf = (resource: Resource, id = idOf(own, resource)): string[] => [
  ...(resource.operations.list ? [listOf(resource)] : []),
  `${listOf(resource)}/${id}`,
];

const outcome = (answer: Answer) => [answer.status, ...codes(answer)].join(" ");

const readableFrom = (answer: Answer) => answer.headers.get("access-control-allow-origin");

for (const resource of types)
  describe(`/p/v1/${resource.type}`, () => {
    const reads = async (headers: Record<string, string | null> = {}) =>
      Promise.all(
        pathsOf(resource).map((path) => service.get(path, visitorOf(account.id, headers))),
      );
    const isRefused = async (expected: string, headers: Record<string, string | null> = {}) => {
      for (const answer of await reads(headers)) assert.equal(outcome(answer), expected);
    };

    test("200 · a page of the account's website reads attributes and nothing else", async () => {
      for (const path of pathsOf(resource)) {
        const answer = await service.get(path, visitorOf(account.id));
        assert.equal(answer.status, 200, answer.text);
        assert.equal(readableFrom(answer), WEBSITE);
        const isOne = path !== listOf(resource);
        const read = isOne
          ? one(answer)
          : many(answer).find(({ id }) => id === idOf(own, resource));
        assert.deepEqual(Object.keys(read ?? {}), ["type", "id", "attributes", "links"], path);
        assert.equal(answer.text.includes('"relationships"'), false);
        const shown = Object.entries(resource.attributes).filter(
          ([, { detailOnly }]) => isOne || !detailOnly,
        );
        assert.deepEqual(Object.keys(read?.attributes ?? {}), [
          ...shown.map(([name]) => name),
          ...Object.keys(resource.issued ?? {}),
        ]);
      }
    });

    test("200 · responses can be cached for five minutes, by account and origin, unless each is new", async () => {
      for (const { headers } of await reads()) {
        const cached = resource.issued ? "no-store" : "public, max-age=300";
        assert.equal(headers.get("cache-control"), cached);
        assert.equal(headers.get("vary"), "Authorization, Origin");
        assert.equal(headers.get("access-control-allow-credentials"), null);
      }
    });

    test("304 · an unchanged document is not sent again, and its headers are", async () => {
      for (const path of resource.issued ? [] : pathsOf(resource)) {
        const first = await service.get(path, visitorOf(account.id));
        const etag = first.headers.get("etag");
        const again = await service.get(path, visitorOf(account.id, { "If-None-Match": etag }));
        assert.deepEqual([again.status, again.text], [304, ""]);
        for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"])
          assert.equal(again.headers.get(name), first.headers.get(name), name);
      }
    });

    test("200 · a server with a client token reads the same document", async () => {
      const { id, token } = await createIntegration(db, { name: `Website ${newId()}` });
      await isRefused("403 integration-not-allowed", { "Origin": null, "X-SVC-API-Token": token });
      await allowIntegration(db, { id, alias: account.alias });
      const [fromPage, fromServer] = [
        await reads(),
        await reads({ "Origin": null, "X-SVC-API-Token": token }),
      ];
      const same = ({ document, text }: Answer) => (resource.issued ? document.links : text);
      assert.deepEqual(fromServer.map(same), fromPage.map(same));
      for (const answer of fromServer) assert.equal(readableFrom(answer), null);
    });

    test("401 · without credentials", async () => {
      await isRefused("401 credentials-missing", { Authorization: null });
      for (const answer of await reads({ Authorization: null }))
        assert.equal(answer.headers.get("www-authenticate"), 'Account realm="vestry"');
    });

    test("401 · a missing, a malformed and an unknown account, and a person's token, are the same", async () => {
      const bearer = `Bearer ${account.administrator.token}`;
      for (const authorization of [
        "Account",
        "Account me",
        `Account ${newId()}`,
        account.id,
        bearer,
      ])
        await isRefused("401 credentials-invalid", { Authorization: authorization });
    });

    test("401 · neither an origin nor a client token, or a token that is unknown", async () => {
      await isRefused("401 client-token-missing", { Origin: null });
      const unknown = `vct_${"x".repeat(43)}`;
      await isRefused("401 client-token-invalid", { "Origin": null, "X-SVC-API-Token": unknown });
    });

    test("403 · the origin of a stranger, of another account and of the operator cannot read", async () => {
      const strangers = ["https://evil.example", OTHER_WEBSITE, `${WEBSITE}.evil.example`, "null"];
      for (const origin of strangers) {
        await isRefused("403 origin-not-allowed", { Origin: origin });
        for (const answer of await reads({ Origin: origin }))
          assert.equal(readableFrom(answer), null);
      }
      await isRefused("403 origin-not-allowed", { Origin: "http://vestry.test" });
    });

    test("403 · an inactive account, one without approval and one without a public area", async () => {
      await db`update accounts set status = 'inactive' where id = ${account.id}`;
      await isRefused("403 account-inactive");
      await db`update accounts set status = 'active', integration_approved = false where id = ${account.id}`;
      await isRefused("403 church-not-approved");
      await openPublicArea(db, account.id, { "public-area": false });
      await isRefused("403 forbidden");
      for (const answer of await reads()) assert.equal(readableFrom(answer), WEBSITE);
    });

    test("404 · resources of another account do not exist, and lists omit them", async () => {
      const answer = await service.get(
        `${listOf(resource)}/${idOf(theirs, resource)}`,
        visitorOf(account.id),
      );
      assert.equal(outcome(answer), "404 not-found");
      for (const answerOf of await reads())
        for (const id of theirs.values()) assert.equal(answerOf.text.includes(id), false);
      const inside = await service.get(
        `${listOf(resource)}/${idOf(theirs, resource)}`,
        visitorOf(other.id, { Origin: OTHER_WEBSITE }),
      );
      assert.equal(inside.status, 200, "the same request from inside");
    });

    test("404 · an absent and a malformed id", async () => {
      for (const id of [newId(), "1", "..%2f"])
        assert.equal(
          outcome(await service.get(`${listOf(resource)}/${id}`, visitorOf(account.id))),
          "404 not-found",
        );
    });

    test("400 · include, fields, cursors and the filters of /v1 are unknown", async () => {
      const queries = [
        "include=created-by",
        `fields[${resource.type}]=name`,
        "page[after]=",
        "x=1",
      ];
      const lists = [...queries, `filter[id]=${newId()}`, "filter[modified-since]=2026-01-01"];
      for (const path of pathsOf(resource))
        for (const query of path === listOf(resource) ? lists : queries)
          assert.equal(
            outcome(await service.get(`${path}?${query}`, visitorOf(account.id))),
            "400 unknown-parameter",
            query,
          );
    });

    test("405 · nothing can be written", async () => {
      for (const path of pathsOf(resource))
        for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
          const answer = await service.request(method, path, visitorOf(account.id));
          assert.equal(outcome(answer), "405 method-not-allowed");
        }
    });

    if (resource.operations.list) {
      test("200 · pages have links, and at most 100 resources", async () => {
        const answer = await service.get(`${listOf(resource)}?page[size]=1`, visitorOf(account.id));
        assert.equal(ids(answer).length, 1);
        const { links } = answer.document as { links?: Record<string, string> };
        assert.match(links?.["self"] ?? "", new RegExp(`${listOf(resource)}\\?`));
        const large = await service.get(
          `${listOf(resource)}?page[size]=101`,
          visitorOf(account.id),
        );
        assert.equal(outcome(large), "400 invalid-parameter");
      });

      test("200 · every sort that needs no place works, in both directions", async () => {
        for (const [name, { needsPlace }] of Object.entries(resource.sorts))
          for (const sort of [name, `-${name}`]) {
            const answer = await service.get(
              `${listOf(resource)}?sort=${sort}`,
              visitorOf(account.id),
            );
            assert.equal(answer.status, needsPlace ? 400 : 200, answer.text);
          }
      });
    }
  });

describe("other paths", () => {
  test("404 · private types", async () => {
    const known = new Set([
      ...types.map(({ type }) => type),
      // They have a path for POST.
      ...catalogue.publicWrites.keys(),
    ]);
    const secret = [...catalogue.resources.keys()].filter((type) => !known.has(type));
    for (const type of secret)
      for (const path of [`/p/v1/${type}`, `/p/v1/${type}/${newId()}`])
        assert.equal(
          outcome(await service.get(path, visitorOf(account.id))),
          "404 not-found",
          path,
        );
  });

  test("401 · naming an account opens nothing under /v1, and neither does its origin", async () => {
    for (const type of ["accounts/me", "courses", "cells"]) {
      const answer = await service.get(`/v1/${type}`, visitorOf(account.id));
      assert.equal(outcome(answer), "401 credentials-invalid client-token-missing");
      assert.equal(readableFrom(answer), null);
    }
  });
});

describe("preflight requests", () => {
  const preflight = (path: string, origin: string) =>
    service.request("OPTIONS", path, {
      as: null,
      headers: {
        "Origin": origin,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
      },
    });

  test("204 · a website of an active account may ask, for any path of the public area", async () => {
    for (const origin of [WEBSITE, OTHER_WEBSITE]) {
      const { headers, status } = await preflight("/p/v1/cells", origin);
      assert.equal(status, 204);
      assert.equal(headers.get("access-control-allow-origin"), origin);
      assert.equal(headers.get("access-control-allow-methods"), "GET, POST");
      assert.equal(headers.get("access-control-allow-headers"), "authorization, content-type");
      assert.equal(headers.get("access-control-max-age"), "600");
      assert.equal(headers.get("access-control-allow-credentials"), null);
      assert.match(headers.get("vary") ?? "", /\bOrigin\b/);
    }
  });

  test("204 · a stranger and the website of an inactive account may not", async () => {
    await db`update accounts set status = 'inactive' where id = ${other.id}`;
    for (const origin of ["https://evil.example", OTHER_WEBSITE]) {
      const answer = await preflight("/p/v1/cells", origin);
      assert.equal(answer.status, 204);
      assert.equal(readableFrom(answer), null);
      assert.equal(answer.headers.get("access-control-allow-methods"), null);
    }
  });

  test("204 · a website may not ask for paths of /v1", async () => {
    for (const path of ["/v1/cells", "/authenticate", "/p", "/p/v2/cells"])
      assert.equal(readableFrom(await preflight(path, WEBSITE)), null, path);
  });
});
