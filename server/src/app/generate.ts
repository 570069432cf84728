import { serviceDocument } from "../contract/openapi-extras.ts";
import { codes } from "../base/errors.ts";
import type { Queryable } from "../store/db.ts";
import { schemaSql } from "../store/schema.ts";
import { statesDocument } from "../webhooks/states-document.ts";

/**
 * The files that are made from the code and committed, so that a review shows what a change does to the interface and
 * to the database. By their paths in the repository; `npm run generate` writes them and tests hold them.
 */
export async function generated(migrated?: Queryable): Promise<Map<string, string>> {
  return new Map([
    ["server/openapi.json", `${JSON.stringify(serviceDocument(), null, 1)}\n`],
    ["docs/errors.md", errorsPage()],
    ["docs/states.md", statesDocument()],
    ...(migrated ? ([["server/schema.sql", await schemaSql(migrated)]] as const) : []),
  ]);
}

function errorsPage(): string {
  const rows = Object.entries(codes)
    .map(([code, [status, title, remedy]]) => ({ code, status, title, remedy }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title, remedy }) => `| ${status} | \`${code}\` | ${title} | ${remedy} |`);
  return `# Errors

Every refusal is a JSON:API error document. \`code\` is stable, so branch on it; titles and details may change their
words. \`id\` is the request's, as in the header \`X-Request-Id\` and in the log. \`source\` names the place: a \`pointer\`
into the body, a query \`parameter\` or a \`header\`. Everything that a request shows to be wrong is said at once; when the
problems have different statuses the answer's is 400.

This page is generated from \`server/src/base/errors.ts\` by \`npm run generate\`.

| Status | Code | Title | What to do |
|---|---|---|---|
${rows.join("\n")}
`;
}
