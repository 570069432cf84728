import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { newId } from "../../../src/base/ids.ts";
import { readFormToken } from "../../../src/features/visitors/form-tokens.ts";
import { nameAndEmail, makeForm, readForm, submit } from "../../support/public-forms.ts";
import { codes, document, one, startService, type TestService } from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea } from "../../support/visits.ts";

let service: TestService;
before(async () => {
  service = await startService(BEHIND_PROXY);
  await openPublicArea(service.db, service.account.id);
});
after(() => service.stop());

test("200 · a form has what a website shows, a token and a challenge, and is never stored", async () => {
  const id = await makeForm(service, {
    "description": "Tell us who you are.",
    "slug": "new-here",
    "challenge": "pow",
    "privacy-notice": "We delete it after a year.",
    "confirmation-message": "Thank you",
    "actions": { "create-or-match-person": true },
  });
  for (const path of [id, "new-here"]) {
    const answer = await readForm(service, path);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("etag"), null);
    const { attributes, id: shown, ...rest } = one(answer);
    assert.equal(shown, id);
    assert.deepEqual(Object.keys(rest).sort(), ["links", "type"]);
    const { challenge, "form-token": token, ...others } = attributes;
    assert.deepEqual(others, {
      "name": "New here?",
      "description": "Tell us who you are.",
      "slug": "new-here",
      "fields": nameAndEmail.map(({ key, label, required, type }) => ({
        key,
        type,
        label,
        required,
      })),
      "privacy-notice": "We delete it after a year.",
      "version": 1,
      "confirmation-message": "Thank you",
      "closes-at": null,
    });
    assert.equal((challenge as { type: string }).type, "pow");
    const read = readFormToken(Buffer.alloc(32, 2), service.account.id, String(token));
    assert.deepEqual([read?.formId, read?.version], [id, 1]);
  }
});

test("200 · each read has another token, and a form without proof has no challenge", async () => {
  const id = await makeForm(service);
  const [first, second] = [one(await readForm(service, id)), one(await readForm(service, id))];
  assert.notEqual(first.attributes["form-token"], second.attributes["form-token"]);
  assert.equal(first.attributes["challenge"], null);
});

test("404 · a form that is not open to the public does not exist", async () => {
  const ids = [newId(), "no-such-form", "a b"];
  for (const attributes of [
    { status: "draft" },
    { status: "closed" },
    { "requires-login": true },
    { "opens-at": "2999-01-01T00:00:00.000Z" },
    { "closes-at": "2026-01-01T00:00:00.000Z" },
  ])
    ids.push(await makeForm(service, attributes));
  const full = await makeForm(service, { "max-submissions": 1 });
  assert.equal((await submit(service, full)).status, 201);
  for (const id of [...ids, full]) {
    const answer = await readForm(service, id);
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]], id);
  }
});

test("405 · forms of the public area have no list", async () => {
  assert.equal((await readForm(service, "")).status, 404);
  const answer = await service.patch("/p/v1/forms/x", document("forms", {}));
  assert.equal(answer.status, 405);
});

test("a token is of no use when altered, in another account, or after 12 hours", (context) => {
  const key = Buffer.alloc(32, 2);
  const { id: accountId } = service.account;
  return makeForm(service).then(async (id) => {
    const token = String(one(await readForm(service, id)).attributes["form-token"]);
    assert.ok(readFormToken(key, accountId, token));
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "A" ? "B" : "A";
      const altered = token.slice(0, at) + other + token.slice(at + 1);
      assert.equal(readFormToken(key, accountId, altered), undefined, `${at}`);
    }
    assert.equal(readFormToken(key, newId(), token), undefined);
    assert.equal(readFormToken(Buffer.alloc(32, 3), accountId, token), undefined);
    context.mock.timers.enable({ apis: ["Date"], now: Date.now() + limits.formTokenMs + 1 });
    assert.equal(readFormToken(key, accountId, token), undefined);
  });
});
