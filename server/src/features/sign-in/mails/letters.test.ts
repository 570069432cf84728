import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../../mail/languages.ts";
import { noticeMail } from "./letters.ts";

test("a letter about a log-in names the church, the address and the place to log in, in every language", () => {
  const to = {
    alias: "st-mark",
    churchName: "Saint Mark",
    churchEmail: null,
    personName: "Ana",
    email: "ana@mark.example",
  };
  const appUrl = "https://app.example";
  const subjects = new Set<string>();
  for (const notice of ["password-changed", "address-changed", "address-left"] as const)
    for (const language of languages) {
      const { subject, text } = noticeMail(notice, { ...to, language }, { appUrl });
      subjects.add(subject);
      assert.match(subject, /Saint Mark/);
      for (const part of ["Ana", to.email, "st-mark", appUrl])
        assert.ok(text.includes(part), `${notice} in ${language} lacks ${part}`);
    }
  assert.equal(subjects.size, 9);
});
