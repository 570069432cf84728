import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../../mail/languages.ts";
import { invitationMail } from "./letters.ts";

test("an invitation says in each language where to log in, and as whom", () => {
  const made = {
    token: "vpt_secret",
    alias: "st-mark",
    churchName: "St Mark",
    churchEmail: null,
    personName: "Ana",
    email: "ana@stmark.example",
  };
  const addresses = { appUrl: "https://app.example", publicUrl: "https://vestry.example" };
  for (const language of languages) {
    const { text } = invitationMail({ ...made, language }, addresses);
    for (const part of ["https://app.example ", "ana@stmark.example", "st-mark"])
      assert.ok(text.includes(part), `${language}: ${text}`);
  }
});
