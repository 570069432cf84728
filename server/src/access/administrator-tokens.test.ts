import assert from "node:assert/strict";
import { test } from "node:test";
import { AdministratorTokens } from "./administrator-tokens.ts";

test("keeps a bounded number of tokens, and begins anew when there are more", () => {
  const tokens = new AdministratorTokens(2);
  const [one, two, three] = ["one", "two", "three"].map((text) => Buffer.from(text));
  assert.ok(one && two && three);
  tokens.note(one, true);
  tokens.note(two, true);
  tokens.note(one, true);
  assert.ok(tokens.has(one) && tokens.has(two));
  tokens.note(three, true);
  assert.deepEqual(
    [one, two, three].map((token) => tokens.has(token)),
    [false, false, true],
  );
  tokens.note(three, false);
  assert.equal(tokens.has(three), false);
});
