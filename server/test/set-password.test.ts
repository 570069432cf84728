import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { invite, revealed } from "./support/invitations.ts";
import { makePerson } from "./support/make.ts";
import { startService, type TestService } from "./support/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const visit = (path: string) => service.get(path, { as: null, headers: { Origin: null } });

test("the page of a link loads its own files and calls this service only", async () => {
  const person = await makePerson(service.db, service.account.id, { email: "a@church.example" });
  const { link } = revealed(await invite(service, person.id));
  const { hash, origin, pathname, search } = new URL(link);
  assert.deepEqual([pathname, search], ["/set-password", ""]);
  assert.match(hash, /^#token=vpt_[\w-]{64}&account=[\w-]+&lang=en$/);

  const page = await visit(pathname);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /https?:\/\//);
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(
    policy,
    /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
  );
  assert.equal(page.headers.get("referrer-policy"), "same-origin");
  const files = [...page.text.matchAll(/(?:src|href)="(set-password[^"]+)"/g)];
  assert.equal(files.length, 2);
  for (const [, file = ""] of files) {
    const answer = await visit(new URL(file, origin + pathname).href.slice(origin.length));
    assert.equal(answer.status, 200, file);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
  }
});

test("the texts of the page have the same members in every language", async () => {
  const { text } = await visit("/set-password/page.js");
  const source = /const texts = \{.*?\n\};/s.exec(text)?.[0] ?? "";
  const languages = [...source.matchAll(/^ {2}"([\w-]+)": \{$/gm)].map(([, name]) => name);
  assert.deepEqual(languages, ["en", "pt-BR", "es"]);
  const members = [...source.matchAll(/^ {4}"?([\w-]+)"?:/gm)].map(([, name]) => name);
  assert.ok(members.length > 0);
  for (const [name, uses] of Map.groupBy(members, (each) => each))
    assert.equal(uses.length, languages.length, String(name));
});
