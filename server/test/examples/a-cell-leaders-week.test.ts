import assert from "node:assert/strict";
import { test } from "node:test";
import { runGuide, startDemo } from "../support/guides.ts";
import { many } from "../support/service.ts";

test("the commands plan, report and correct a meeting, and list the people who stay away", async (context) => {
  const start = await startDemo(context);
  const printed = await runGuide("a-cell-leaders-week", start);
  assert.match(printed, /"full-name":"Rui Melo"/);
  assert.match(printed, /"present-count":[3-9]/);
  assert.match(printed, /"absent-streak": 1/);

  const [reported, ...others] = many(
    await start.read("/v1/cell-meetings?sort=-modified-at&filter[status]=held&page[size]=2"),
  );
  assert.equal(others.length, 1);
  assert.partialDeepStrictEqual(reported?.attributes, {
    "theme": "Hope",
    "children-count": 4,
    "report-status": "submitted",
  });
  const [cancelled] = many(
    await start.read("/v1/cell-meetings?sort=-date&filter[status]=cancelled&page[size]=1"),
  );
  assert.equal(cancelled?.attributes["theme"], "Christmas Eve");
});
