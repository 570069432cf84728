import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanMarkdown } from "./clean-markdown.ts";

const cases: readonly [name: string, markdown: string, cleaned: string][] = [
  ["a tag inside a line", "a <b>c</b> d", "a c d\n"],
  ["a block", "before\n\n<div>\nx\n</div>\n\nafter", "before\n\nafter\n"],
  ["a script", "<script>alert(1)</script>", ""],
  ["a comment", "a <!-- b --> c", "a  c\n"],
  ["a link with another scheme", "see [here](javascript:alert(1))", "see here\n"],
  ["a scheme in references to characters", "[a](java&#115;cript&colon;b)", "a\n"],
  ["a scheme in other letters", "[a](JavaScript:b)", "a\n"],
  ["a relative link", "[a](/b) [c](#d) [e](//f)", "a c e\n"],
  ["an autolink", "<ftp://a.example>", "ftp\\://a.example\n"],
  ["an image with its text", "![a](data:image/png;base64,b)", "a\n"],
  ["a definition", "[a][b]\n\n[b]: javascript:c", "[a][b]\n"],
  ["a tag that forms when another one goes", "<<b>i>x", "\\<i>x\n"],
  ["a link that forms when another one goes", "[a [b](x:y)](x:z)", "\\[a b]\\(x:z)\n"],
  ["a tag in a cell, and no table", "| a |\n| - |\n| <b>c</b> |", "| a |\n| - |\n| c |\n"],
];
for (const [name, markdown, cleaned] of cases)
  test(`removes ${name}`, () => {
    assert.equal(cleanMarkdown(markdown), cleaned);
  });

test("Markdown without HTML and unsafe links is returned unchanged", () => {
  for (const markdown of [
    "Setext\n======\n\n* one\n+ two\r\n\r\n- [ ] a task",
    "`<b>` and ``[a](javascript:b)``",
    "```html\n<script>alert(1)</script>\n```",
    "    <div>\n",
    "1 < 2 and 3 > 2, a<b",
    "\\<b> and &lt;b&gt;",
    "[a](https://b.example) <http://c.example> [d](MAILTO:e@f.example) ![g](http://h.example/i.png)",
    "[^1]\n\n[^1]: A footnote.",
  ])
    assert.equal(cleanMarkdown(markdown), markdown);
});

test("code stays code where something else is removed", () => {
  const code = "```html\n<script>\n```\n\n`<b>`\n";
  assert.equal(cleanMarkdown(`<i>${"\n\n"}${code}`), code);
});

test("cleaned Markdown is clean", () => {
  const parts = [
    "<",
    ">",
    "b",
    "[",
    "]",
    "(",
    ")",
    "x:y",
    "`",
    "|",
    "-",
    "\n",
    " ",
    "!",
    "\\",
    "*",
  ];
  const hostile = fc.array(fc.constantFrom(...parts, "<b>", "[a](x:y)", "```\n", "&lt;"), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(hostile, (fragments) => {
      const cleaned = cleanMarkdown(fragments.join(""));
      assert.equal(cleanMarkdown(cleaned), cleaned);
    }),
  );
});
