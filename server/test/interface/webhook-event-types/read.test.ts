import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Compile } from "typebox/schema";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { type Attribute, schemaOf } from "../../../src/jsonapi/definition/attributes.ts";
import { many, one, startService } from "../../support/service.ts";

const { declared } = describedCatalogue;

const service = await startService();
after(() => service.stop());

const read = (id: string, more = {}) => service.get(`/v1/webhook-event-types/${id}`, more);

interface Message {
  data: {
    type: string;
    attributes: Record<string, unknown> & { snapshot: { type: string; id: string } };
    relationships: Record<string, { data: { type: string; id: string } }>;
  };
  meta: Record<string, unknown>;
}

const examples = new Map(
  many(await service.get("/v1/webhook-event-types")).map(({ attributes, id }) => [
    id,
    attributes["example"] as Message,
  ]),
);

test("200 · a type is read by its name", async () => {
  const answer = await read("person.updated");
  assert.equal(answer.status, 200, answer.text);
  const { attributes, id, type } = one(answer);
  assert.deepEqual([type, id], ["webhook-event-types", "person.updated"]);
  assert.equal(attributes["description"], declared.events["person.updated"]?.description);
  assert.equal(attributes["personal-data-level"], "details");
});

test("200 · an example is a production message of its type", () => {
  assert.equal(examples.size, Object.keys(declared.events).length);
  for (const [type, { data, meta }] of examples) {
    assert.equal(data.type, "webhook-events", type);
    assert.deepEqual(
      Object.keys(data.attributes),
      [
        "event-type",
        "occurred-at",
        "schema-version",
        "cause",
        "batch-id",
        "changed-fields",
        "snapshot",
        "truncation",
        "merge",
      ],
      type,
    );
    assert.deepEqual(Object.keys(data.relationships), ["account", "subject", "actor"], type);
    assert.deepEqual(Object.keys(meta), ["delivery-id", "delivery-kind", "attempt"], type);
    assert.equal(data.attributes["event-type"], type);
    const { id, type: subject } = data.attributes.snapshot;
    assert.deepEqual(data.relationships["subject"]?.data, { type: subject, id }, type);
  }
});

test("200 · examples contain changed fields for updates, merge for merges, and only ids for deletions", () => {
  for (const [type, { data }] of examples) {
    const { "changed-fields": changed, merge, snapshot } = data.attributes;
    if (type.endsWith(".updated"))
      assert.ok(Array.isArray(changed) && changed.length > 0, `${type} names what changed`);
    else assert.equal(changed, null, type);
    assert.equal(merge === null, type !== "person.merged", type);
    if (type.endsWith(".deleted")) assert.deepEqual(Object.keys(snapshot), ["type", "id"], type);
  }
});

test("200 · an example has attributes and relationships of the type's definition", () => {
  for (const { attributes, relationships = {}, type } of Object.values(declared.eventExamples)) {
    const resource = describedCatalogue.resources.get(type);
    if (!resource) continue;
    for (const [name, value] of Object.entries(attributes)) {
      const attribute: Attribute | undefined = resource.attributes[name];
      assert.ok(attribute && !attribute.readableWith, `${type}.${name}`);
      assert.ok(Compile(schemaOf(attribute)).Check(value), `${type}.${name}`);
    }
    for (const [name, target] of Object.entries(relationships)) {
      assert.equal(resource.relationships[name]?.target, target, `${type}.${name}`);
      assert.equal(resource.relationships[name].kind, "to-one", `${type}.${name}`);
    }
  }
});
