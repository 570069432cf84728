import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { answerText } from "./answer-text.ts";

const { answerTextBytesMax } = webhookLimits;

test("an answer is kept as text up to the limit, without half of a character", () => {
  assert.equal(answerText(Buffer.from("Service paused")), "Service paused");
  assert.equal(
    answerText(Buffer.from("<script>alert(1)</script>\n")),
    "<script>alert(1)</script>\n",
  );
  assert.equal(answerText(Buffer.alloc(4_096, "x")), "x".repeat(answerTextBytesMax));
  for (const letter of ["é", "€", "𝄞"])
    for (const shift of ["", "x", "xx", "xxx"]) {
      const text = answerText(Buffer.from(shift + letter.repeat(answerTextBytesMax)));
      assert.match(text ?? "", new RegExp(`^${shift}(${letter})+$`, "u"));
      assert.ok(Buffer.byteLength(text ?? "") > answerTextBytesMax - 4);
    }
});

test("an answer that is empty or no text is not kept", () => {
  assert.equal(answerText(undefined), undefined);
  assert.equal(answerText(Buffer.alloc(0)), undefined);
  assert.equal(answerText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])), undefined);
  assert.equal(answerText(Buffer.from("caf\u00e9", "latin1")), undefined);
  assert.equal(answerText(Buffer.alloc(4_096, 0xff)), undefined);
});

test("control characters and signing secrets are not kept", () => {
  assert.equal(answerText(Buffer.from("a\0b\x1b[31mc\td")), "a\uFFFDb\uFFFD[31mc\td");
  const page = "SETTINGS WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw DEBUG=True";
  assert.equal(answerText(Buffer.from(page)), "SETTINGS WEBHOOK_SECRET=whsec_… DEBUG=True");
});
