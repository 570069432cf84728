import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../../src/access/actor.ts";
import { ApiError, type Problem } from "../../src/base/errors.ts";
import { LISTED_MAX } from "../../src/base/choices.ts";
import { newId } from "../../src/base/ids.ts";
import { FORMAT, type Format, formats } from "../../src/base/rules.ts";
import { describedCatalogue } from "../../src/catalogue.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { isWritable } from "../../src/jsonapi/definition/relationships.ts";
import type { DocumentMembers } from "../../src/jsonapi/request/input.ts";
import { parseResource } from "../../src/jsonapi/request/input.ts";
import { filtersOf } from "../../src/jsonapi/request/list-filters.ts";
import { parseListQuery } from "../../src/jsonapi/request/list-query.ts";
import { validate } from "../../src/jsonapi/request/validate.ts";
import { assertRuled } from "../support/rules.ts";

/** Every mistake in a document or a filter that a definition describes is reported by its rule, with the values of the rule. */

const actor: Actor = {
  accountId: newId(),
  accountVersion: 1,
  personId: newId(),
  tokenId: newId(),
  administrativeStatus: "full-administrator",
  assignments: [],
};

const rules = { actor, customFields: undefined };
const { commands, resources } = describedCatalogue;
const types: DocumentMembers[] = [
  ...[...resources.values()].filter(({ operations }) => operations.create),
  ...commands.values(),
];

/** The problems that an act throws. Each has its rule. */
function problemsOf(act: () => unknown): readonly Problem[] {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    for (const { meta = {}, status, ...problem } of error.problems)
      assertRuled({ ...problem, status: String(status), meta });
    return error.problems;
  }
  return [];
}

type Told = Record<string, unknown>;

const byPlace = (problems: readonly Problem[]): Record<string, Told | undefined> =>
  Object.fromEntries(
    problems.map(({ meta, source = {} }) => [String(Object.values(source)[0]), meta]),
  );

const created = (resource: DocumentMembers, members: object) =>
  byPlace(
    problemsOf(() => parseResource(resource, { data: { type: resource.type, ...members } }, rules)),
  );

const changed = (resource: DocumentMembers, members: object) => {
  const id = newId();
  const data = { type: resource.type, id, ...members };
  return byPlace(problemsOf(() => parseResource(resource, { data }, { ...rules, id })));
};

test("422 · each member that a new resource lacks is `required` at its own place", () => {
  for (const resource of types) {
    const found = created(resource, {});
    for (const [name, { mode }] of Object.entries(resource.attributes))
      if (mode === "required")
        assert.deepEqual(found[`/data/attributes/${name}`], { rule: "required" }, name);
    for (const [name, one] of Object.entries(resource.relationships))
      if (one.kind === "to-one" && one.required)
        assert.deepEqual(found[`/data/relationships/${name}`], { rule: "required" }, name);
  }
});

test("422 · an unknown name is `unknown`, and a member of the service is `read-only`", () => {
  for (const resource of types) {
    const none = { nonsense: 1 };
    assert.deepEqual(
      ["attributes", "relationships"].map(
        (part) => created(resource, { [part]: none })[`/data/${part}/nonsense`],
      ),
      [{ rule: "unknown" }, { rule: "unknown" }],
    );
    for (const [name, { mode }] of Object.entries(resource.attributes))
      if (mode === "read-only")
        assert.deepEqual(
          created(resource, { attributes: { [name]: null } })[`/data/attributes/${name}`],
          {
            rule: "read-only",
          },
        );
    for (const [name, one] of Object.entries(resource.relationships))
      if (!one.writable || !isWritable(one, "existing"))
        assert.deepEqual(
          changed(resource, { relationships: { [name]: { data: null } } })[
            `/data/relationships/${name}`
          ],
          { rule: "read-only" },
        );
  }
});

test("422 · a link of another form or to another type has a rule, and a malformed id is `not-found`", () => {
  for (const resource of types)
    for (const [name, one] of Object.entries(resource.relationships)) {
      if (!isWritable(one, "new") || one.kind !== "to-one" || "subject" in one) continue;
      const place = `/data/relationships/${name}`;
      const link = (data: unknown) => created(resource, { relationships: { [name]: { data } } });
      assert.deepEqual(created(resource, { relationships: { [name]: {} } })[place], {
        rule: "required",
      });
      assert.deepEqual(link("x")[`${place}/data`], { rule: "type", type: "object" });
      const allowed = link({ type: "nonsense", id: newId() })[`${place}/data/type`];
      assert.equal(allowed?.["rule"], "one-of");
      const absent = link({ type: one.target, id: "x" });
      assert.deepEqual(absent[`${place}/data/id`], { rule: "not-found" });
      if (one.required) assert.deepEqual(link(null)[`${place}/data`], { rule: "required" });
    }
});

interface Schema {
  [FORMAT]?: Format;
  type?: string;
  anyOf?: Schema[];
  enum?: string[];
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
}

/** The schema and all schemas within it. */
function* schemasIn(schema: Schema): Generator<Schema> {
  const { additionalProperties, anyOf = [], items, properties = {}, propertyNames } = schema;
  yield schema;
  for (const one of [...anyOf, items, propertyNames, ...Object.values(properties)])
    if (one) yield* schemasIn(one);
  if (typeof additionalProperties === "object") yield* schemasIn(additionalProperties);
}

/** A long list is in the reference only. */
const oneOf = (allowed: readonly string[]): Told =>
  allowed.length > LISTED_MAX ? { rule: "one-of" } : { rule: "one-of", allowed: [...allowed] };

/** Values that break a keyword of the schema, and the rule and its values that each must have. */
function* mistakesIn(schema: Schema): Generator<[value: unknown, expected: Told]> {
  const {
    enum: allowed,
    maxItems,
    maxLength,
    maximum,
    minItems,
    minLength,
    minimum,
    type,
  } = schema;
  const format = schema[FORMAT];
  const other = type === "string" ? 7 : "x";
  if (allowed) yield ["nonsense", oneOf(allowed)];
  else if (format) yield [other, { rule: "format", format }];
  else if (type) yield [other, { rule: "type", type }];
  if (allowed) return;
  if (minLength !== undefined) yield ["", { rule: "not-blank" }];
  if (format) yield ["\u0007 , ", { rule: "format", format }];
  else if (schema.format && schema.format !== "not-blank")
    yield ["a\nb", { rule: "format", format: "one-line" }];
  if (maxLength !== undefined && !format)
    yield ["x".repeat(maxLength + 1), { rule: "max-length", limit: maxLength }];
  if (minimum !== undefined) yield [minimum - 1, { rule: "min", limit: minimum }];
  if (maximum !== undefined) yield [maximum + 1, { rule: "max", limit: maximum }];
  if (minItems !== undefined) yield [[], { rule: "min-items", limit: minItems }];
  if (maxItems !== undefined)
    yield [
      Array.from({ length: maxItems + 1 }, (_, n) => n),
      { rule: "max-items", limit: maxItems },
    ];
}

const writable = ({ mode }: Attribute): boolean => mode !== "read-only";

test("422 · each keyword of a schema has its rule, with the limit, the list or the format", () => {
  const seen = new Set<string>();
  for (const resource of types)
    for (const [name, attribute] of Object.entries(resource.attributes)) {
      if (!writable(attribute)) continue;
      for (const schema of schemasIn(attribute.schema as Schema))
        for (const [value, expected] of mistakesIn(schema)) {
          const problems: Problem[] = [];
          // The errors of a list come without those of its entries, of which a response has only the first.
          const { items: _items, ...whole } = schema;
          validate(whole, value, "", problems);
          const [found] = problems.filter(
            ({ source }) => source && "pointer" in source && source.pointer === "",
          );
          assert.deepEqual(
            found?.meta,
            expected,
            `${resource.type}.${name}: ${JSON.stringify(value)}`,
          );
          seen.add(String(expected["rule"]));
        }
    }
  const needed = [
    "not-blank",
    "max-length",
    "min-items",
    "max-items",
    "min",
    "max",
    "type",
    "format",
    "one-of",
  ];
  assert.deepEqual([...seen].toSorted(), needed.toSorted());
});

test("422 · a missing member is `required` at its place, an unknown one `unknown`, and a twin `repeated`", () => {
  for (const resource of types)
    for (const attribute of Object.values(resource.attributes).filter(writable))
      for (const schema of schemasIn(attribute.schema as Schema)) {
        const rulesOf = (value: unknown) => {
          const problems: Problem[] = [];
          validate(schema, value, "", problems);
          return byPlace(problems);
        };
        if (schema.properties && schema.additionalProperties === false) {
          const found = rulesOf({ nonsense: 1 });
          assert.deepEqual(found["/nonsense"], { rule: "unknown" });
          for (const name of schema.required ?? [])
            assert.deepEqual(found[`/${name}`], { rule: "required" });
        }
        if (schema.uniqueItems && schema.items?.enum) {
          const [first] = schema.items.enum;
          assert.deepEqual(rulesOf([first, first])[""], { rule: "repeated" });
        }
        if (schema.propertyNames)
          assert.equal(rulesOf({ "": 1 })["/"]?.["rule"] !== undefined, true);
      }
});

test("422 · text that cannot be stored is of the format `text`, wherever it is", () => {
  for (const resource of types) {
    const found = created(resource, { attributes: { nonsense: "\0" } });
    assert.deepEqual(found["/data/attributes/nonsense"], { rule: "format", format: "text" });
  }
});

test("400 · each mistake in a filter, a sort or a page has its rule", () => {
  const custom = { actor, customFields: undefined };
  for (const resource of resources.values()) {
    if (!resource.operations.list) continue;
    const asked = (query: Record<string, string>) =>
      byPlace(problemsOf(() => parseListQuery(describedCatalogue, resource, query, custom)));
    for (const [name, filter] of Object.entries(filtersOf(resource))) {
      const parameter = `filter[${name}]`;
      const ruleOf = (value: string) => asked({ [parameter]: value })[parameter];
      assert.deepEqual(
        ruleOf("\0"),
        { rule: "format", format: "text" },
        `${resource.type} ${parameter}`,
      );
      const wrong = ruleOf("nonsense");
      switch (filter.match) {
        case "one-of":
          assert.deepEqual(wrong, oneOf(filter.values));
          break;
        case "boolean":
        case "exists":
        case "adds":
          assert.deepEqual(wrong, { rule: "one-of", allowed: ["true", "false"] });
          break;
        case "number":
        case "at-least":
        case "at-most":
          assert.deepEqual(wrong, { rule: "type", type: "integer" });
          assert.deepEqual(ruleOf(String(filter.maximum + 1)), {
            rule: "max",
            limit: filter.maximum,
          });
          assert.deepEqual(ruleOf(String(filter.minimum - 1)), {
            rule: "min",
            limit: filter.minimum,
          });
          break;
        case "since":
        case "until":
          assert.deepEqual(wrong, { rule: "format", format: "timestamp" });
          break;
        case "from":
        case "to":
          assert.deepEqual(wrong, { rule: "format", format: "date" });
          break;
        case "digits":
          assert.deepEqual(wrong, { rule: "min-length", limit: 3 });
          break;
        case "day-from":
        case "day-to":
          assert.deepEqual(wrong, { rule: "format", format: "day-of-year" });
          break;
        case "near":
          assert.deepEqual(wrong, { rule: "format", format: "place" });
          break;
        default:
          // A search finds nothing, and a malformed id belongs to no row.
          assert.equal(wrong, undefined);
      }
    }
    assert.deepEqual(asked({ "filter[nonsense]": "1" })["filter[nonsense]"], { rule: "unknown" });
    assert.deepEqual(asked({ nonsense: "1" })["nonsense"], { rule: "unknown" });
    assert.equal(asked({ sort: "nonsense" })["sort"]?.["rule"], "one-of");
    assert.deepEqual(asked({ "page[size]": "0" })["page[size]"], { rule: "min", limit: 1 });
    assert.deepEqual(asked({ "page[number]": "x" })["page[number]"], {
      rule: "type",
      type: "integer",
    });
  }
});

test("every format is used", () => {
  const inFilters = ["cursor", "percent-encoded", "place", "text", "webhook-url"];
  const used = new Set<string>(["one-line", ...inFilters]);
  for (const resource of types)
    for (const { schema } of Object.values(resource.attributes))
      for (const { [FORMAT]: format } of schemasIn(schema as Schema)) if (format) used.add(format);
  for (const { attributes } of resources.values())
    for (const { schema } of Object.values(attributes))
      for (const { [FORMAT]: format } of schemasIn(schema as Schema)) if (format) used.add(format);
  assert.deepEqual([...used].toSorted(), Object.keys(formats).toSorted());
});
