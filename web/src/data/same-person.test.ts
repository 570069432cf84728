import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonPhone } from "@vestry/sdk";
import { samenessOf } from "./same-person.ts";

const known = {
  "id": "1",
  "full-name": "Ana Mariana Conceição",
  "email": "Ana@mail.example",
  "other-emails": ["work@mail.example"],
  "phones": [{ number: "+351912345678" } as PersonPhone],
  "birthdate": "1990-11-18",
  "birth-month-day": "11-18",
};
const of = (typed: object) => samenessOf({ name: "Somebody Else", ...typed }, known);

test("the same telephone is found however it is typed", () => {
  for (const number of ["+351 912 345 678", "912345678", "0912-345-678", "00351 912345678"])
    assert.equal(of({ phones: ["", number] }), "phone", number);
  for (const number of ["345678", "+351 912 345 679", "5678", "+351912345", ""])
    assert.equal(of({ phones: [number] }), undefined, number);
});

test("the same e-mail address is found, also among the other ones", () => {
  assert.equal(of({ email: "ana@MAIL.example " }), "email");
  assert.equal(of({ email: "work@mail.example" }), "email");
  assert.equal(of({ email: "ana@mail.exam" }), undefined);
  assert.equal(of({ email: null }), undefined);
});

test("a name is the same with the birthday alone, with and without its year", () => {
  const name = "ana  mariana conceicao";
  assert.equal(of({ name }), undefined);
  assert.equal(of({ name, birthdate: "1990-11-18" }), "birthday");
  assert.equal(of({ name, monthDay: "11-18" }), "birthday");
  assert.equal(of({ name, birthdate: "1991-11-18" }), undefined);
  assert.equal(of({ birthdate: "1990-11-18" }), undefined);
  // A leader reads no year.
  const reduced = { ...known, birthdate: undefined };
  assert.equal(samenessOf({ name, birthdate: "1991-11-18" }, reduced), "birthday");
});
