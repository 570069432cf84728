import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, test } from "node:test";
import { makeCourse, makePerson } from "../../support/make.ts";
import { grant } from "../../support/roles.ts";
import { codes, document, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

describe("abuse", () => {
  test("422 · an array of 100,000 entries is rejected quickly, with a short response", async () => {
    const member = await makePerson(db, account.id);
    const emails = Array.from({ length: 100_000 }, () => "a@b");
    const startedAt = performance.now();
    const answer = await service.patch(
      "/v1/people/me",
      document("people", { "other-emails": emails }, { id: member.id }),
      { as: member.token },
    );
    assert.equal(answer.status, 422);
    assert.ok(answer.text.length < 1_000, "the response must not grow with the request");
    assert.ok(performance.now() - startedAt < 5_000);
  });

  test("429 · requests with invented tokens count against the address, on every path", async () => {
    const limited = await startService({ rateLimits: true });
    try {
      for (const path of ["/v1/nothing", "/openapi.json"]) {
        const statuses = new Set<number>();
        for (let n = 0; n < 130; n += 1) {
          const as = `vat_${randomBytes(48).toString("base64url")}`;
          statuses.add((await limited.get(path, { as })).status);
        }
        assert.ok(statuses.has(429), path);
      }
    } finally {
      await limited.stop();
    }
  });

  test("429 · the operator can change one quota and keep the others", async () => {
    const user = { requests: 2, windowMs: 5_000 };
    const limited = await startService({ rateLimits: { user } });
    try {
      const answers = [];
      for (let n = 0; n < 3; n += 1) answers.push(await limited.get("/v1/roles"));
      assert.deepEqual(
        answers.map(({ headers, status }) => [status, headers.get("RateLimit-Policy")]),
        [200, 200, 429].map((status) => [status, '"user";q=2;w=5']),
      );
      const { headers } = await limited.get("/v1/roles", { as: null });
      assert.equal(headers.get("RateLimit-Policy"), '"address";q=120;w=60');
    } finally {
      await limited.stop();
    }
  });

  test("403 · a caller can neither overwrite nor filter by data that the caller cannot read", async () => {
    const course = await makeCourse(db, account.id);
    const member = await makePerson(db, account.id);
    const clerk = await makePerson(db, account.id);
    const role = await service.post(
      "/v1/roles",
      document("roles", { name: "Clerk", permissions: ["people:read", "people:write"] }),
    );
    await grant(service, { role: one(role).id, personId: clerk.id });
    const notes = document("people", { "medical-notes": "guessed" }, { id: member.id });
    const answer = await service.patch(`/v1/people/${member.id}`, notes, { as: clerk.token });
    assert.equal(answer.status, 403);
    for (const type of ["courses", "course-classes"]) {
      const filtered = `/v1/${type}?filter[teacher]=${clerk.id}`;
      assert.equal((await service.get(filtered, { as: member.token })).status, 400, type);
    }
    const enrolled = `/v1/people?filter[course]=${course}`;
    assert.equal((await service.get(enrolled, { as: clerk.token })).status, 400);
  });

  test("422 · the custom fields of one resource have a total size limit", async () => {
    const fields = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { type: "text" }]));
    await service.patch(
      "/v1/accounts/me",
      document("accounts", { "custom-properties": { people: fields } }, { id: account.id }),
    );
    const { id } = await makePerson(db, account.id);
    const values = Object.fromEntries(
      Object.keys(fields).map((name) => [name, "x".repeat(20_000)]),
    );
    const answer = await service.patch(
      `/v1/people/${id}`,
      document("people", { "custom-properties": values }, { id }),
    );
    assert.deepEqual([answer.status, ...codes(answer)], [422, "invalid-attribute"]);
  });
});
