import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanText } from "./clean-text.ts";

const kept = [
  "Ana <ana@example.org>",
  "Ana <ana@example.org>, Eva <e.lima@example.org>",
  "<https://example.org/?a=b>",
  "<mailto:ana@example.org>",
  "a<b",
  "a<b and c>d",
  "a<b and c<d or e>f",
  "a<b, c = d",
  "if a<b then c=d",
  "1<2 and 3>2",
  "a < b > c",
  "a <- b -> c",
  "I <3 it </3",
  "<first_name>",
  "<<<",
  "<?",
  "<!important>",
];

test("angle brackets that are no markup stay", () => {
  for (const text of kept) assert.equal(cleanText(text), text);
});

const cleaned: readonly (readonly [text: string, expected: string])[] = [
  ["<b>Bom</b> dia\n<script>x", "Bom dia\nx"],
  ["<B CLASS=x>Bom</B >", "Bom"],
  ["Ana <ana@example.org> <i>x</i>", "Ana <ana@example.org> x"],
  ["one<br/>two<br />", "onetwo"],
  ["<foo>x</foo><o:p>y<my-element>z", "xyz"],
  ["<script async>x", "x"],
  ["<svg/onload=alert(1)>x", "x"],
  ["<ana@example.org onclick=alert(1)>x", "x"],
  ["<!-- a\n<b -->x<!-->y", "xy"],
  ["<!-- x", "x"],
  ["<!DOCTYPE html>x<?php y ?>z", "xz"],
  // Tags that go on after the next angle bracket, and tags that other texts would complete.
  ['<img alt="<" src=x onerror=alert(1)>', 'img alt="<" src=x onerror=alert(1)>'],
  ["<p < onclick=alert(1)>", "p < onclick=alert(1)>"],
  ["<img src=x onerror=alert(1)", "img src=x onerror=alert(1)"],
  // Tags that appear when others, or characters within them, are removed.
  ["<<b>script>x", "script>x"],
  ["<sc<b>ript>x", "script>x"],
  ["<<b>!-- x -->y", "!-- x -->y"],
  ["<scr\u202aipt>x<scr\u0000ipt>y", "xy"],
];

test("elements and comments of an HTML parser are removed", () => {
  for (const [text, expected] of cleaned) assert.equal(cleanText(text), expected, text);
});

test("a text of 64 KiB that is made of beginnings is cleaned at once", () => {
  for (const piece of ['<a x="', "<!--", "<<b>b>", "<a <", "<", "<b \n", "<!-- <a x=y>"]) {
    const text = piece.repeat(65_536 / piece.length);
    const { user: before } = process.cpuUsage();
    cleanText(`${text}>`);
    const milliseconds = (process.cpuUsage().user - before) / 1_000;
    assert.ok(milliseconds < 1_000, `${JSON.stringify(piece)} took ${milliseconds} ms.`);
  }
});
