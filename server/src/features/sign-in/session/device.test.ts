import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceOf } from "./device.ts";

const cases: [string | undefined, string | undefined][] = [
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
    "Chrome on Linux",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["curl/8.19.0", "curl"],
  ["Mozilla/5.0 (Unknown)", undefined],
  ["<script>alert(1)</script>", undefined],
  ["a".repeat(10_000), undefined],
  ["", undefined],
  [undefined, undefined],
];

for (const [userAgent, device] of cases)
  test(`${JSON.stringify(userAgent)?.slice(0, 60)} is ${device}`, () =>
    assert.equal(deviceOf(userAgent), device));
