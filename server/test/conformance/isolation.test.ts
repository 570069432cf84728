import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import type { Command } from "../../src/jsonapi/definition/command.ts";
import { computedListOf } from "../../src/jsonapi/definition/operations.ts";
import { isLinkable, isWritable } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { type Attempt, attemptsOn, change, idOf, stateOf, told, variantsOn } from "./attempts.ts";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, thirdOfTypes, startStage } from "./stage.ts";
import { makeAccount, makePerson } from "../support/make.ts";
import { type Answer, codes, etag, ids, one } from "../support/service.ts";

/**
 * Every type, verb and relationship is attacked from another account. The response is 404, or 422 if a document names an
 * absent resource, and nothing changes. The attacks are derived from the catalogue, so a new type needs no line here.
 */

const service = await startStage();
after(() => service.stop());
const { db } = service;

const victim = service.account;
const attacker = await makeAccount(db);
const theirs = await furnish(db, catalogue, victim, specialMakers(db, victim.id));
const own = await furnish(db, catalogue, attacker, specialMakers(db, attacker.id));
const thief = { as: attacker.administrator.token };

const send = ({ method, path, body }: Attempt, options: object): Promise<Answer> =>
  service.request(method, path, { ...options, ...(body !== undefined && { body }) });

/** As somebody sends it who has read the resource, where a change has to say so. */
async function sendKnowing(resource: Resource, attempt: Attempt): Promise<Answer> {
  if (resource.versionTag === undefined || attempt.method === "GET") return send(attempt, {});
  const current = etag(await service.get(attempt.path));
  return send(attempt, { headers: { "If-Match": current } });
}

/** Nothing of the victim may stand in an answer, but what the request itself said. */
function assertTellsNothing(answer: Answer, attempt: Attempt) {
  const secrets = [victim.alias, ...theirs.values(), victim.administrator.id];
  const said = attempt.path + JSON.stringify(attempt.body ?? "");
  for (const secret of secrets)
    if (!said.includes(secret))
      assert.ok(!answer.text.includes(secret), `${told(attempt)}: ${answer.text}`);
}

const before = await stateOf(db, victim);
test.afterEach(async () => {
  if (guarded)
    assert.deepEqual(await stateOf(db, victim), before, "the victim's rows are as they were");
});
let guarded = true;

for (const resource of thirdOfTypes("types attacked from another account")) {
  test(`404 · ${resource.type} of another account: no verb and no relationship reaches them`, async () => {
    const id = idOf(theirs, resource.type);
    const linked = [own, theirs].map((rows) => (type: string) => idOf(rows, type));
    for (const [attempt, headers] of variantsOn(resource, id, ...linked)) {
      const answer = await send(attempt, { ...thief, headers });
      assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"], told(attempt));
      assertTellsNothing(answer, attempt);
    }
  });

  test(`404 · ${resource.type} of another account for a plain member of mine, as if they were not there`, async () => {
    const member = await makePerson(db, attacker.id);
    for (const attempt of attemptsOn(resource, idOf(theirs, resource.type), (type) =>
      idOf(theirs, type),
    )) {
      const answer = await send(attempt, { as: member.token });
      const nowhere = JSON.parse(
        JSON.stringify(attempt).replaceAll(idOf(theirs, resource.type), newId()),
      ) as Attempt;
      const absent = await send(nowhere, { as: member.token });
      assert.ok([403, 404].includes(answer.status), `${told(attempt)} ${answer.text}`);
      assert.deepEqual([answer.status, ...codes(answer)], [absent.status, ...codes(absent)]);
      assertTellsNothing(answer, attempt);
    }
  });

  if (resource.operations.list)
    test(`200 · lists of ${resource.type} have nothing of another account, whatever is asked for`, async () => {
      const values = [...theirs.values(), victim.administrator.id];
      const queries = [
        "",
        `include=${Object.keys(resource.relationships).join()}`,
        ...(computedListOf(resource)
          ? []
          : [
              `filter[id]=${values.join()}`,
              `sort=id&page[after]=${Buffer.from(JSON.stringify(["id", idOf(theirs, resource.type), idOf(theirs, resource.type)])).toString("base64url")}`,
            ]),
        ...Object.entries(resource.filters)
          .filter(([, { match }]) => ["id", "related", "within"].includes(match))
          .map(([name]) => `filter[${name}]=${values.join()}`),
      ];
      for (const query of queries) {
        const attempt = { method: "GET", path: `/v1/${resource.type}?${query}` };
        const answer = await send(attempt, thief);
        assert.equal(answer.status, 200, `${told(attempt)} ${answer.text}`);
        const stolen = ids(answer).filter((id) => values.includes(id));
        assert.deepEqual(stolen, [], told(attempt));
        assertTellsNothing(answer, { ...attempt, path: query });
        if (/^filter\[(?!id)/.test(query))
          assert.equal(answer.document.meta?.["total"], 0, told(attempt));
      }
    });

  const writable = Object.entries(resource.relationships).filter(
    ([, relationship]) => relationship.writable,
  );
  if (writable.length > 0)
    test(`404 · 422 · ${resource.type} of one account cannot be linked to resources of another account`, async () => {
      const id = idOf(own, resource.type);
      for (const [name, relationship] of writable) {
        const { kind, target } = relationship;
        const refusal =
          "subject" in relationship ? [404, "not-found"] : [422, "invalid-relationship"];
        const identifier = { type: target, id: idOf(theirs, target) };
        const linkage = { data: kind === "to-one" ? identifier : [identifier] };
        const related = Object.fromEntries(
          writable.map(([other, one]) => {
            const mine = { type: one.target, id: idOf(own, one.target) };
            return [
              other,
              other === name ? linkage : { data: one.kind === "to-one" ? mine : [mine] },
            ];
          }),
        );
        const attempts: Attempt[] = [];
        const document = { ...change(resource, id).data, relationships: related };
        // A place that the row does not have cannot be added to it.
        const changeable = writable.filter(
          ([other, one]) => other === name || isWritable(one, "existing"),
        );
        const present = Object.fromEntries(changeable.map(([other]) => [other, related[other]]));
        if (resource.operations.update && isWritable(relationship, "existing")) {
          attempts.push({
            method: "PATCH",
            path: `/v1/${resource.type}/${id}`,
            body: { data: { ...document, relationships: present } },
          });
          const methods = kind === "to-one" ? ["PATCH"] : ["PATCH", "POST"];
          for (const method of isLinkable(relationship) ? methods : [])
            attempts.push({
              method,
              path: `/v1/${resource.type}/${id}/relationships/${name}`,
              body: linkage,
            });
        }
        if (resource.operations.create) {
          const { id: _, ...rest } = document;
          const attributes = { ...rest.attributes, ...required(resource) };
          attempts.push({
            method: "POST",
            path: `/v1/${resource.type}`,
            body: { data: { ...rest, attributes } },
          });
        }
        const mine = await stateOf(db, attacker);
        for (const attempt of attempts) {
          const headers = { "Idempotency-Key": newId() };
          const answer = await send(attempt, { ...thief, headers });
          assert.deepEqual(
            [answer.status, ...codes(answer)],
            refusal,
            `${told(attempt)} ${answer.text}`,
          );
        }
        assert.deepEqual(await stateOf(db, attacker), mine, "nothing half-written");
      }
    });
}

/** A document of a command that names rows of one account, with `id` in every attribute that holds an id. */
function asking(resource: Command, rows: ReadonlyMap<string, string>, id: string) {
  const valueOf = ([name, { schema }]: [string, Attribute]): [string, unknown] => {
    const { examples, minimum, type } = schema as Record<string, unknown>;
    if (name.endsWith("-id")) return [name, id];
    return [name, type === "integer" ? (minimum ?? 1) : ((examples as unknown[])?.[0] ?? "Text")];
  };
  const relationships = Object.entries(resource.relationships).map(([name, { target }]) => [
    name,
    { data: { type: target, id: idOf(rows, target) } },
  ]);
  return {
    data: {
      type: resource.type,
      attributes: Object.fromEntries(Object.entries(resource.attributes).map(valueOf)),
      relationships: Object.fromEntries(relationships) as Record<string, unknown>,
    },
  };
}

const askFor = (resource: Command, body: unknown, options: object) =>
  service.post(`/v1/${resource.type}`, body, {
    ...options,
    headers: { "Idempotency-Key": newId() },
  });

for (const resource of catalogue.commands.values())
  test(`404 · 422 · ${resource.type} changes nothing in another account`, async () => {
    const mine = await stateOf(db, attacker);
    for (const id of theirs.values()) {
      const body = asking(resource, theirs, id);
      const answer = await askFor(resource, body, thief);
      assert.ok([404, 422].includes(answer.status), `${JSON.stringify(body)} ${answer.text}`);
      assertTellsNothing(answer, { method: "POST", path: resource.type, body });
    }
    assert.deepEqual(await stateOf(db, attacker), mine, "nothing half-done");
  });

const revocationOf = (id: string) => ({
  method: "POST",
  path: "/v1/access-token-revocations",
  body: {
    data: {
      type: "access-token-revocations",
      relationships: { person: { data: { type: "people", id } } },
    },
  },
});

test("404 · the tokens of another account's people are not revoked, nor by logging out", async () => {
  for (const id of [idOf(theirs, "people"), victim.administrator.id]) {
    const attempt = revocationOf(id);
    const answer = await send(attempt, { ...thief, headers: { "Idempotency-Key": newId() } });
    assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
    assertTellsNothing(answer, attempt);
  }
  const { token } = await makePerson(db, attacker.id);
  assert.equal((await service.delete("/v1/access-tokens/current", { as: token })).status, 204);
  assert.equal((await service.get("/v1/people/me")).status, 200);
});

/** Required attributes that are not free texts: a number, the first choice, or the example. */
function required(resource: Resource): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource.attributes).flatMap(([name, { example, mode, schema, storage }]) => {
      const { enum: choices, examples, minimum } = schema as Record<string, unknown[] | undefined>;
      const value =
        storage === "number"
          ? minimum
          : storage === "json"
            ? example
            : (choices ?? (["date", "timestamp"].includes(storage) ? examples : undefined))?.[0];
      return mode === "required" && value !== undefined ? [[name, value]] : [];
    }),
  );
}

test("the database itself refuses a row that refers across accounts", async () => {
  for (const resource of catalogue.resources.values())
    for (const [name, relationship] of Object.entries(resource.relationships)) {
      if (!("column" in relationship) || resource.type === "accounts" || computedListOf(resource))
        continue;
      // Only the service writes history and authors, which outlive what they refer to.
      if (resource.type === "webhook-deliveries" || relationship.dangling) continue;
      const update = db`
        update ${db(resource.table)} set ${db(relationship.column)} = ${idOf(theirs, relationship.target)}
        where account_id = ${attacker.id} and id = ${idOf(own, resource.type)}`;
      await assert.rejects(update, /foreign key/, `${resource.type}.${name}`);
    }
});

test("200 · the same requests from inside do have their effect: the attacks above were real", async () => {
  guarded = false;
  // Types that refer to others come after them in the catalogue.
  const order = [...catalogue.resources.values()].toReversed();
  for (const resource of order) {
    const id = idOf(theirs, resource.type);
    for (const attempt of attemptsOn(resource, id, (type) => idOf(theirs, type))) {
      if (attempt.method === "DELETE" && !attempt.path.includes("/relationships/")) continue;
      // A type can forbid links to itself.
      if (JSON.stringify(attempt.body ?? "").includes(`{"type":"${resource.type}","id":"${id}"}`))
        continue;
      const answer = await sendKnowing(resource, attempt);
      assert.equal(answer.status, 200, `${told(attempt)} ${answer.text}`);
      if (JSON.stringify(attempt.body ?? "").includes("Stolen"))
        assert.ok(Object.values(one(answer).attributes).includes("Stolen"), told(attempt));
    }
  }
  // A command also requires the right state. Here it is enough that the resource is found.
  for (const resource of catalogue.commands.values()) {
    const answers = await Promise.all(
      [...theirs.values()].map((id) => askFor(resource, asking(resource, theirs, id), {})),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(
      statuses.some((status) => status < 300 || status === 409),
      `${resource.type} ${statuses.join()}`,
    );
  }
  assert.equal((await send(revocationOf(idOf(theirs, "people")), {})).status, 204);
  for (const resource of order)
    if (resource.operations.delete) {
      const path = `/v1/${resource.type}/${idOf(theirs, resource.type)}`;
      const answer = await sendKnowing(resource, { method: "DELETE", path });
      // The state of others can refuse a deletion. Here it is enough that the resource is found.
      const refuses = "refuses" in resource.operations.delete && answer.status === 409;
      assert.ok(answer.status === 204 || refuses, `${resource.type} ${answer.status}`);
    }
});
