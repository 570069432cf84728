import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { codes, one, startService, type TestService } from "../../support/service.ts";
import { openPublicArea, visitorOf } from "../../support/visits.ts";

let service: TestService;
before(async () => {
  service = await startService();
  await openPublicArea(service.db, service.account.id);
});
after(() => service.stop());

const read = () => service.get("/p/v1/accounts/me", visitorOf(service.account.id));

const change = (attributes: Record<string, unknown>) =>
  service.patch("/v1/accounts/me", { data: { type: "accounts", id: "me", attributes } });

test("200 · the account has what a website shows, and nothing else", async () => {
  const address = { street: "Rua das Flores", city: "Campinas", country: "BR" };
  const answer = await change({
    "church-name": "Igreja da Graça",
    "acronym": "IG",
    "email": "office@church.example",
    "phone": "+55 11 98765 4321",
    "website": "https://www.church.example",
    address,
    "settings": {
      "lang": "pt-BR",
      "time-zone": "America/Sao_Paulo",
      "country": "BR",
      "first-weekday": 0,
      "currency": "BRL",
      "cell-label": "Célula",
      "cells-label": "Células",
      "child-age-limit": 12,
    },
  });
  assert.equal(answer.status, 200, answer.text);
  const account = one(await read());
  assert.deepEqual([account.type, account.id], ["accounts", service.account.id]);
  assert.deepEqual(account.attributes, {
    "church-name": "Igreja da Graça",
    "acronym": "IG",
    "logo-url": null,
    "phone": "+55 11 98765 4321",
    "website": "https://www.church.example",
    address,
    "settings": {
      "lang": "pt-BR",
      "country": "BR",
      "first-weekday": 0,
      "time-zone": "America/Sao_Paulo",
      "cell-label": "Célula",
      "cells-label": "Células",
    },
  });
});

test("200 · an account without settings has none, and an ETag changes with the account", async () => {
  await service.db`update accounts set settings = '{}' where id = ${service.account.id}`;
  await openPublicArea(service.db, service.account.id);
  const before = await read();
  assert.deepEqual(one(before).attributes["settings"], {});
  await change({ acronym: "GC" });
  assert.notEqual((await read()).headers.get("etag"), before.headers.get("etag"));
});

test("403 · an account closes its public area and opens it again", async () => {
  await change({ settings: { "public-area": false } });
  assert.deepEqual(codes(await read()), ["forbidden"]);
  await change({ settings: { "public-area": null } });
  assert.equal((await read()).status, 200);
});

test("404 · accounts are not listed, and another id than the account's own does not exist", async () => {
  for (const path of ["/p/v1/accounts", "/p/v1/accounts/you"])
    assert.deepEqual(codes(await service.get(path, visitorOf(service.account.id))), ["not-found"]);
});

test("422 · a website needs https://, unless it runs on the visitor's machine", async () => {
  const origins = (...list: string[]) => change({ settings: { "public-origins": list } });
  for (const wrong of [
    "http://www.church.example",
    "http://localhost.evil.example",
    "https://a/",
    "*",
  ])
    assert.equal((await origins(wrong)).status, 422, wrong);
  const local = ["http://localhost:8080", "http://127.0.0.1", "https://www.church.example:8443"];
  assert.equal((await origins(...local)).status, 200);
  for (const Origin of local) {
    const visitor = visitorOf(service.account.id, { Origin });
    assert.equal((await service.get("/p/v1/accounts/me", visitor)).status, 200, Origin);
  }
});
