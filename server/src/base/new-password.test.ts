import assert from "node:assert/strict";
import { test } from "node:test";
import { newPasswordMistake, type PasswordOwner } from "./new-password.ts";

const owner: PasswordOwner = {
  names: ["Antônia d'Ávila-Sá", "Tô", null],
  email: "a.davila77@grace.example",
  churchName: "Igreja da Graça",
  alias: "graca-lx",
};
const mistake = (password: string, of: PasswordOwner | undefined = owner, lengthMin = 8) =>
  newPasswordMistake(password, {
    lengthMin,
    common: new Set(["senha12345", "aaaaaaaa"]),
    owner: of,
  });
const part = (name: string) => ({ rule: "too-common", part: name });

test("a long password without names and of few kinds of characters can be set", () => {
  for (const password of [
    "correct horse battery",
    "zzyzxroad",
    "84629517",
    "sa toca violao",
    "ãããã óóóó",
  ])
    assert.equal(mistake(password), undefined, password);
});

test("a short password, and one of blanks, cannot be set", () => {
  assert.deepEqual(mistake("1234567"), { rule: "min-length", limit: 8 });
  assert.deepEqual(mistake("e\u0301".repeat(7)), { rule: "min-length", limit: 8 });
  assert.deepEqual(mistake("a longer one", owner, 20), { rule: "min-length", limit: 20 });
  assert.deepEqual(mistake("        "), { rule: "not-blank" });
});

test("a common password cannot be set, in any case and with accents", () => {
  for (const password of ["senha12345", "SENHA12345", " Sênha12345 ", "AAAAAAAA"])
    assert.deepEqual(mistake(password, undefined), part("list"), password);
});

test("a password with a name of the person, the address or the church cannot be set", () => {
  const cases: [string, string][] = [
    ["antonia2024", "names"],
    ["minha ÁVILA querida", "names"],
    ["x-an.to.nia-x", "names"],
    ["ADavila77!!", "names"],
    ["a.davila77@grace.example", "names"],
    ["igrejadagraca", "church"],
    ["eu e a Igreja da Graça", "church"],
    ["GracaLX 2024", "church"],
  ];
  for (const [password, expected] of cases)
    assert.deepEqual(mistake(password), part(expected), password);
  const short = { ...owner, names: ["Ana Sá"], email: "ana@lx.example" };
  assert.deepEqual(mistake("ana@lx.example", short), part("email"));
  assert.deepEqual(mistake("anasa1234", short), part("names"));
  assert.equal(mistake("ana e sá cantam", { ...short, names: ["Ana", "Sá"] }), undefined);
});
