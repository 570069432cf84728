import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./languages.ts";
import { written } from "./letter.ts";

test("the first language that the service knows wins, and English is the last resort", () => {
  assert.equal(languageOf("pt-BR", "en"), "pt-BR");
  assert.equal(languageOf("de-DE", "es-MX"), "es");
  assert.equal(languageOf(null, "pt-PT"), "pt-BR");
  assert.equal(languageOf(undefined, "de"), "en");
});

test("markup in a text stays text", () => {
  const { html, subject, text } = written({
    language: "en",
    subject: "Join\r\nBcc: x <b>",
    before: [`<script>alert("1")</script> & 'more'`],
    link: { label: "<Open>", url: `http://localhost/"onclick="x#a&b` },
    after: [],
  });
  assert.equal(subject, "Join Bcc: x <b>");
  assert.doesNotMatch(html, /<script|<b>|"onclick|<Open>/);
  assert.match(html, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; 'more'/);
  assert.ok(text.includes(`<script>alert("1")</script> & 'more'`));
});
