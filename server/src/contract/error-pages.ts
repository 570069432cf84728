import { formatEntries, ruleEntries } from "./error-rules.ts";
import { escapeHtml } from "../base/html.ts";
import { type Code, codes } from "../base/errors.ts";

/** Where `links.type` of every error leads: an HTML page of the service with an anchor for each code. */
export const ERRORS_PATH = "/docs/errors";

export const errorTypeUrl = (publicUrl: string, code: string): string =>
  `${publicUrl}${ERRORS_PATH}#${code}`;

const paragraphs = [
  "Every error answer is a JSON:API error document. `code` is stable, so branch on it. Titles and details may change.",
  "`id` is unique to each error. `meta.request-id` is the request's id, as in the header `X-Request-Id` and in the log. `links.type` leads to the entry of the code.",
  "`source` names the place: a `pointer` into the body, a query `parameter` or a `header`. One answer reports every invalid part of a request. If the errors have different statuses, the answer's status is 400.",
];

const rulesText = [
  'An error with the status 422, and every error about a query parameter, has the broken rule in `meta.rule`, with its values beside it: `{"rule": "max-length", "limit": 200}`. `detail` says the same in English, sometimes with advice. Codes that say it all have no rule: `file-type-mismatch`, `requirements-unmet`, `token-invalid`, `url-unresolvable` and `wrong-password`.',
  "An app that words errors in another language uses the code and the rule. The list is closed, and its names and values are stable.",
];

interface Entry {
  code: Code;
  status: number;
  title: string;
  remedy: string;
}

const entries: readonly Entry[] = Object.entries(codes)
  .map(([code, [status, title, remedy]]) => ({ code: code as Code, status, title, remedy }))
  .sort((a, b) => a.status - b.status);

export function errorsMarkdown(): string {
  const rows = entries.map(
    ({ code, remedy, status, title }) =>
      `| ${status} | <a id="${code}"></a>\`${code}\` | ${title} | ${remedy} |`,
  );
  return `# Errors

${paragraphs.join("\n\n")}

The service shows this list at \`${ERRORS_PATH}\`. This file is generated from \`server/src/base/errors.ts\` and
\`server/src/base/rules.ts\` by \`npm run generate\`.

| Status | Code | Title | Next step |
|---|---|---|---|
${rows.join("\n")}

## Rules

${rulesText.join("\n\n")}

| Rule | Values in \`meta\` | Meaning |
|---|---|---|
${ruleEntries.map(({ description, name, values }) => `| \`${name}\` | ${values} | ${description} |`).join("\n")}

| \`format\` | The text must be … | Example |
|---|---|---|
${formatEntries.map(({ example, name, words }) => `| \`${name}\` | ${words} | ${example && `\`${example}\``} |`).join("\n")}
`;
}

export function errorsHtml(): string {
  const rows = entries.map(
    ({ code, remedy, status, title }) =>
      `<tr id="${code}"><td>${status}</td><td><a href="#${code}"><code>${code}</code></a></td><td>${inHtml(title)}</td><td>${inHtml(remedy)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vestry API errors</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
td, th { padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
:target { background: Mark; color: MarkText; }
</style>
</head>
<body>
<h1>Errors</h1>
${paragraphs.map((paragraph) => `<p>${inHtml(paragraph)}</p>`).join("\n")}
<table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th><th>Next step</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
<h2>Rules</h2>
${rulesText.map((paragraph) => `<p>${inHtml(paragraph)}</p>`).join("\n")}
<table>
<thead><tr><th>Rule</th><th>Values in <code>meta</code></th><th>Meaning</th></tr></thead>
<tbody>
${ruleEntries.map(({ description, name, values }) => htmlRow(`\`${name}\``, values, description)).join("\n")}
</tbody>
</table>
<table>
<thead><tr><th><code>format</code></th><th>The text must be …</th><th>Example</th></tr></thead>
<tbody>
${formatEntries.map(({ example, name, words }) => htmlRow(`\`${name}\``, words, example && `\`${example}\``)).join("\n")}
</tbody>
</table>
<p><a href="/docs">API reference</a></p>
</body>
</html>
`;
}

const htmlRow = (...cells: string[]): string =>
  `<tr>${cells.map((cell) => `<td>${inHtml(cell)}</td>`).join("")}</tr>`;

const inHtml = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
