import assert from "node:assert/strict";
import {
  formats,
  type Rule,
  type RuleName,
  rules,
  sentenceOf,
  passwordParts,
  valueTypes,
} from "../../src/base/rules.ts";

interface Told {
  status: string;
  code: string;
  detail: string;
  meta: Record<string, unknown>;
}

/** These codes need no rule. */
const selfExplained = new Set([
  "file-type-mismatch",
  "requirements-unmet",
  "token-invalid",
  "url-unresolvable",
  "form-token-invalid",
  "proof-invalid",
  "wrong-password",
]);

const isDay = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

const hasValues: Record<(typeof rules)[RuleName]["values"], (meta: Told["meta"]) => boolean> = {
  none: () => true,
  number: ({ limit }) => typeof limit === "number",
  date: ({ limit }) => isDay(limit),
  other: ({ other }) => typeof other === "string" && other.startsWith("/data/"),
  format: ({ format }) => Object.hasOwn(formats, String(format)),
  type: ({ type }) => valueTypes.some((known) => known === type),
  part: ({ part }) => passwordParts.some((known) => known === part),
  choices: ({ allowed }) =>
    allowed === undefined ||
    (Array.isArray(allowed) && allowed.every((value) => typeof value === "string")),
};

/** Asserts that an error has the rule that its code promises, with the values and the sentence of the rule. */
export function assertRuled({ code, detail, meta, status }: Told): void {
  const said = `${code}: ${detail} ${JSON.stringify(meta)}`;
  const isRuled =
    (status === "422" && !selfExplained.has(code)) ||
    ["invalid-parameter", "unknown-parameter"].includes(code);
  if (!isRuled) return assert.ok(!Object.hasOwn(meta, "rule"), said);
  const name = String(meta["rule"]);
  assert.ok(Object.hasOwn(rules, name), said);
  assert.ok(hasValues[rules[name as RuleName].values](meta), said);
  // The sentence may name the member, and suggest a value of a long list.
  const sentence = sentenceOf({ allowed: [], ...meta } as unknown as Rule)
    .replace(/^This /, "")
    .replace(/\.$/, "");
  assert.ok(detail.includes(sentence), `${said} does not say: ${sentence}`);
}
