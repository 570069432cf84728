import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Finds sentences that must be read twice: sentences that open with a relative clause, and phrases without an actor.
 * `npm run plain-english` lists them, and `tidy.test.ts` holds their number.
 */

const root = fileURLToPath(new URL("../../../", import.meta.url));

export const scopes = [
  "documents",
  "comments in src",
  "strings in src",
  "comments in test",
  "test names",
] as const;
type Scope = (typeof scopes)[number];

export interface Offender {
  scope: Scope;
  /** The file and the line where the text begins. */
  place: string;
  sentence: string;
}

/** A piece of prose and the line on which it begins. */
interface Prose {
  line: number;
  text: string;
}

const openings =
  /^(?:(?:what|whatever|who|whoever|whom|whomever|nobody|somebody|that which)\b|to (?:what|who|whom|whoever|those|one)\b)/i;
/** Fragments such as "of 5,000" in a table are fine, so only test names may not begin with a small "of". */
const openingOf = { capital: /^Of (?!course\b)/, any: /^of (?!course\b)/i };
const phrases =
  /\b(?:(?:is|are|was|were) told|is said|anew|nobody|whoever|what is|in place of|way to the database)\b/i;

/** A question may begin with "What" or "Who". */
function isOffence(sentence: string, scope: Scope): boolean {
  if (phrases.test(sentence)) return true;
  const resource = scope === "test names" ? openingOf.any : openingOf.capital;
  return (openings.test(sentence) || resource.test(sentence)) && !sentence.endsWith("?");
}

const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/`[^`]*`/g, "`…`")
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?])["')*]*\s+(?=["'(*]*[\p{L}`])/u)
    .map((sentence) => sentence.replace(/^[\s"'(*·|>#-]+/, "").trim());

/** Joins consecutive lines that match `pattern`, without its prefix. */
function* joined(lines: readonly string[], pattern: RegExp): Generator<Prose> {
  let open: Prose | undefined;
  for (const [index, line] of lines.entries()) {
    const text = pattern.exec(line)?.[1];
    if (text === undefined || text.trim() === "") {
      if (open) yield open;
      open = undefined;
    } else if (open) open.text += ` ${text.trim()}`;
    else open = { line: index + 1, text: text.trim() };
  }
  if (open) yield open;
}

/** Paragraphs, list items and table cells, without code blocks. */
function* proseOfMarkdown(text: string): Generator<Prose> {
  let isCode = false;
  let open: Prose | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    const isTable = line.startsWith("|");
    const isEnd = isFence || isCode || isTable || line.trim() === "";
    if (open && (isEnd || /^\s*(?:[-*>]|#+|\d+\.)\s/.test(line))) {
      yield open;
      open = undefined;
    }
    if (isTable) yield* line.split(" | ").map((cell) => ({ line: index + 1, text: cell }));
    if (isEnd) continue;
    if (open) open.text += ` ${line.trim()}`;
    else open = { line: index + 1, text: line.replace(/^\s*(?:[-*>]|#+|\d+\.)\s/, "").trim() };
  }
  if (open) yield open;
}

function* commentsOf(path: string, text: string): Generator<Prose> {
  const lines = text.split("\n");
  if (path.endsWith(".sql")) return yield* joined(lines, /^\s*--+\s?(.*)$/);
  if (path.endsWith(".env.example")) return yield* joined(lines, /^#\s?(.*)$/);
  yield* joined(lines, /^\s*\/\/\s?(.*)$/);
  yield* joined(lines, /^\s*(?:\/\*\*?|\*(?!\/))\s?(.*?)(?:\*\/)?$/);
  for (const [index, line] of lines.entries()) {
    const trailing = /[;,{})\]]\s+\/\/ (.*)$/.exec(line)?.[1];
    if (trailing !== undefined) yield { line: index + 1, text: trailing };
  }
}

/** String literals of at least three words. Templates are SQL or texts, and both are checked. */
function* stringsOf(text: string): Generator<Prose> {
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) continue;
    for (const [, one, other] of line.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)) {
      const found = one ?? other ?? "";
      if (found.split(" ").length >= 3)
        yield { line: index + 1, text: found.replaceAll(/\$\{[^}]*\}/g, "…") };
    }
  }
}

function* testNamesOf(text: string): Generator<Prose> {
  for (const match of text.matchAll(/\btest\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g)) {
    const name = match[1] ?? match[2] ?? "";
    const line = text.slice(0, match.index).split("\n").length;
    yield { line, text: name.replace(/^\d{3} · /, "") };
  }
}

function* proseOf(path: string, text: string): Generator<[Scope, Prose]> {
  const isTest = path.includes(".test.") || path.startsWith("server/test/");
  const comments: Scope = isTest ? "comments in test" : "comments in src";
  if (path.endsWith(".md")) for (const prose of proseOfMarkdown(text)) yield ["documents", prose];
  else if (path.startsWith("examples/") || path.endsWith(".env.example"))
    for (const prose of commentsOf(path, text)) yield ["documents", prose];
  else {
    for (const prose of commentsOf(path, text)) yield [comments, prose];
    if (isTest) for (const prose of testNamesOf(text)) yield ["test names", prose];
    else for (const prose of stringsOf(text)) yield ["strings in src", prose];
  }
}

/** This file quotes the banned words. */
const exempt = new Set(["server/test/support/plain-english.ts"]);

async function paths(): Promise<string[]> {
  const top = (await readdir(root)).filter((name) => /\.md$|^\.env\.example$/.test(name));
  const nested = await Promise.all(
    ["docs", "examples", "sdk", "server", "web/src"].map(async (folder) =>
      (await readdir(root + folder, { recursive: true }))
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((path) => /\.(?:md|ts|mjs|js|sql)$/.test(path))
        .filter((path) => !path.startsWith("web/") || path.endsWith(".md"))
        .filter((path) => !/node_modules|\/\.|server\/schema\.sql|sdk\/dist\//.test(path)),
    ),
  );
  return [...top, ...nested.flat()].filter((path) => !exempt.has(path)).sort();
}

export async function findOffenders(): Promise<Offender[]> {
  const found: Offender[] = [];
  for (const path of await paths()) {
    const text = await readFile(root + path, "utf8");
    for (const [scope, prose] of proseOf(path, text))
      for (const sentence of sentencesOf(prose.text))
        if (isOffence(sentence, scope))
          found.push({ scope, place: `${path}:${prose.line}`, sentence });
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [prefix = ""] = process.argv.slice(2);
  for (const { scope, place, sentence } of await findOffenders())
    if (place.startsWith(prefix)) console.log(`${place}  [${scope}]  ${sentence}`);
}
