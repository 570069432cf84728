import assert from "node:assert/strict";
import { test } from "node:test";
import { describedCatalogue } from "../catalogue.ts";
import type { Json } from "./json.ts";
import { listing } from "./listing.ts";
import { serviceDocument } from "./service-document.ts";

const document = JSON.stringify(serviceDocument(describedCatalogue));
const before = listing(JSON.parse(document)).split("\n");

/** The lines that a change of the document removes from the listing, and those that it adds. */
function changed(change: (document: Changeable) => void) {
  const copy = JSON.parse(document) as Changeable;
  change(copy);
  const after = listing(copy).split("\n");
  return {
    removed: before.filter((line) => !after.includes(line)),
    added: after.filter((line) => !before.includes(line)),
  };
}

interface Changeable {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, { schema: Json }>;
    responses: Record<string, { headers: Json }>;
    schemas: Record<
      string,
      { required: string[]; properties: Record<string, Json>; enum: string[] }
    >;
  };
}

interface Operation {
  description: string;
  parameters: Json[];
  responses: Json;
}

const operation = ({ paths }: Changeable, method: string, path: string): Operation => {
  const found = paths[path]?.[method];
  assert.ok(found, path);
  return found;
};

const schema = ({ components }: Changeable, name: string) => {
  const found = components.schemas[name];
  assert.ok(found, name);
  return found;
};

/** Each changes one fact of the interface. */
const facts: [string, (document: Changeable) => void][] = [
  ["an operation", ({ paths }) => delete paths["/v1/courses/{id}"]?.["delete"]],
  ["a filter of a list", (all) => operation(all, "get", "/v1/courses").parameters.splice(1, 1)],
  [
    "a permission",
    (all) => {
      const one = operation(all, "delete", "/v1/courses/{id}");
      one.description = one.description.replace("courses:delete", "courses:write");
    },
  ],
  [
    "an error code",
    (all) => {
      const one = operation(all, "delete", "/v1/courses/{id}");
      one.description = one.description.replace("`stale-version`", "`conflict`");
    },
  ],
  [
    "an error code of a linkage route",
    (all) => {
      const one = operation(all, "patch", "/v1/courses/{id}/relationships/teachers");
      one.description = one.description.replace("`invalid-attribute`", "`limit-reached`");
    },
  ],
  ["a status", (all) => delete operation(all, "get", "/v1/courses/{id}").responses["304"]],
  [
    "a parameter",
    ({ components }) => void (components.parameters["FilterName"]!.schema["maxLength"] = 9),
  ],
  [
    "a page size",
    ({ components }) => void (components.parameters["PageSize"]!.schema["maximum"] = 9),
  ],
  [
    "a header",
    ({ components }) => delete components.responses["ErrorResponse"]!.headers["Retry-After"],
  ],
  ["an attribute", (all) => delete schema(all, "NewCourseAttributes").properties["code"]],
  [
    "the length of an attribute",
    (all) => void (schema(all, "CourseAttributes").properties["code"]!["maxLength"] = 9),
  ],
  [
    "whether null is allowed",
    (all) => void (schema(all, "CourseAttributes").properties["code"]!["type"] = "string"),
  ],
  ["a required attribute", (all) => schema(all, "NewCourseAttributes").required.push("code")],
  ["a value of an enumeration", (all) => schema(all, "CourseClassStatus").enum.push("paused")],
  [
    "an attribute of a message",
    (all) =>
      delete (schema(all, "CourseSnapshot").properties["attributes"]!["properties"] as Json)[
        "code"
      ],
  ],
];

for (const [fact, change] of facts)
  test(`a change of ${fact} changes one or two lines of the listing`, () => {
    const { added, removed } = changed(change);
    const lines = Math.max(added.length, removed.length);
    assert.ok(lines === 1 || lines === 2, `${removed.join("\n")}\n→\n${added.join("\n")}`);
  });

test("the listing has one line for each attribute and relationship", () => {
  const { schemas } = (JSON.parse(document) as Changeable).components;
  let counted = 0;
  for (const [name, { properties }] of Object.entries(schemas)) {
    const subject = name.replace(/(Attributes|Relationships)$/, "");
    if (subject === name || !(subject in schemas)) continue;
    for (const member of Object.keys(properties ?? {})) {
      const type = /^New(?=[A-Z])|Changes$/.test(subject)
        ? subject.replace(/^New|Changes$/g, "")
        : subject;
      const start = `  ${type}.${member}  `;
      assert.equal(before.filter((line) => line.startsWith(start)).length, 1, start);
      counted++;
    }
  }
  assert.ok(counted > 1_000, `${counted} members`);
});

test("the listing has one line for each operation", () => {
  const { paths } = JSON.parse(document) as Changeable;
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods)) {
      const start = `  ${method.toUpperCase()} ${path} · `;
      assert.equal(before.filter((line) => line.startsWith(start)).length, 1, start);
    }
});
