import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { isLinkable, isWritable } from "../../src/jsonapi/definition/relationships.ts";
import {
  type Command,
  computedListOf,
  type Resource,
} from "../../src/jsonapi/definition/resource.ts";
import { type Attempt, attemptsOn, change, idOf, stateOf, told, variantsOn } from "./attempts.ts";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";
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
async function sendKnowing(of: Resource, attempt: Attempt): Promise<Answer> {
  if (of.versionTag === undefined || attempt.method === "GET") return send(attempt, {});
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

for (const of of catalogue.resources.values()) {
  test(`404 · ${of.type} of another account: no verb and no relationship reaches them`, async () => {
    const id = idOf(theirs, of.type);
    const linked = [own, theirs].map((rows) => (type: string) => idOf(rows, type));
    for (const [attempt, headers] of variantsOn(of, id, ...linked)) {
      const answer = await send(attempt, { ...thief, headers });
      assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"], told(attempt));
      assertTellsNothing(answer, attempt);
    }
  });

  test(`404 · ${of.type} of another account for a plain member of mine, as if they were not there`, async () => {
    const member = await makePerson(db, attacker.id);
    for (const attempt of attemptsOn(of, idOf(theirs, of.type), (type) => idOf(theirs, type))) {
      const answer = await send(attempt, { as: member.token });
      const nowhere = JSON.parse(
        JSON.stringify(attempt).replaceAll(idOf(theirs, of.type), newId()),
      ) as Attempt;
      const absent = await send(nowhere, { as: member.token });
      assert.ok([403, 404].includes(answer.status), `${told(attempt)} ${answer.text}`);
      assert.deepEqual([answer.status, ...codes(answer)], [absent.status, ...codes(absent)]);
      assertTellsNothing(answer, attempt);
    }
  });

  if (of.operations.list)
    test(`200 · lists of ${of.type} have nothing of another account, whatever is asked for`, async () => {
      const values = [...theirs.values(), victim.administrator.id];
      const queries = [
        "",
        `include=${Object.keys(of.relationships).join()}`,
        ...(computedListOf(of)
          ? []
          : [
              `filter[id]=${values.join()}`,
              `sort=id&page[after]=${Buffer.from(JSON.stringify(["id", "", idOf(theirs, of.type)])).toString("base64url")}`,
            ]),
        ...Object.entries(of.filters)
          .filter(([, { match }]) => ["id", "related", "within"].includes(match))
          .map(([name]) => `filter[${name}]=${values.join()}`),
      ];
      for (const query of queries) {
        const attempt = { method: "GET", path: `/v1/${of.type}?${query}` };
        const answer = await send(attempt, thief);
        assert.equal(answer.status, 200, `${told(attempt)} ${answer.text}`);
        const stolen = ids(answer).filter((id) => values.includes(id));
        assert.deepEqual(stolen, [], told(attempt));
        assertTellsNothing(answer, { ...attempt, path: query });
        if (/^filter\[(?!id)/.test(query))
          assert.equal(answer.document.meta?.["total"], 0, told(attempt));
      }
    });

  const writable = Object.entries(of.relationships).filter(
    ([, relationship]) => relationship.writable,
  );
  if (writable.length > 0)
    test(`404 · 422 · ${of.type} of one account cannot be linked to resources of another account`, async () => {
      const id = idOf(own, of.type);
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
        const document = { ...change(of, id).data, relationships: related };
        if (of.operations.update && isWritable(relationship, "existing")) {
          attempts.push({
            method: "PATCH",
            path: `/v1/${of.type}/${id}`,
            body: { data: document },
          });
          const methods = kind === "to-one" ? ["PATCH"] : ["PATCH", "POST"];
          for (const method of isLinkable(relationship) ? methods : [])
            attempts.push({
              method,
              path: `/v1/${of.type}/${id}/relationships/${name}`,
              body: linkage,
            });
        }
        if (of.operations.create) {
          const { id: _, ...rest } = document;
          const attributes = { ...rest.attributes, ...required(of) };
          attempts.push({
            method: "POST",
            path: `/v1/${of.type}`,
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
function asking(of: Command, rows: ReadonlyMap<string, string>, id: string) {
  const valueOf = ([name, { schema }]: [string, Attribute]): [string, unknown] => {
    const { examples, minimum, type } = schema as Record<string, unknown>;
    if (name.endsWith("-id")) return [name, id];
    return [name, type === "integer" ? (minimum ?? 1) : ((examples as unknown[])?.[0] ?? "Text")];
  };
  const relationships = Object.entries(of.relationships).map(([name, { target }]) => [
    name,
    { data: { type: target, id: idOf(rows, target) } },
  ]);
  return {
    data: {
      type: of.type,
      attributes: Object.fromEntries(Object.entries(of.attributes).map(valueOf)),
      relationships: Object.fromEntries(relationships) as Record<string, unknown>,
    },
  };
}

const askFor = (of: Command, body: unknown, options: object) =>
  service.post(`/v1/${of.type}`, body, { ...options, headers: { "Idempotency-Key": newId() } });

for (const of of catalogue.commands.values())
  test(`404 · 422 · ${of.type} changes nothing in another account`, async () => {
    const mine = await stateOf(db, attacker);
    for (const id of theirs.values()) {
      const body = asking(of, theirs, id);
      const answer = await askFor(of, body, thief);
      assert.ok([404, 422].includes(answer.status), `${JSON.stringify(body)} ${answer.text}`);
      assertTellsNothing(answer, { method: "POST", path: of.type, body });
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
function required(of: Resource): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(of.attributes).flatMap(([name, { example, mode, schema, storage }]) => {
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
  for (const of of catalogue.resources.values())
    for (const [name, relationship] of Object.entries(of.relationships)) {
      if (!("column" in relationship) || of.type === "accounts" || computedListOf(of)) continue;
      // Only the service writes history and authors, which outlive what they refer to.
      if (of.type === "webhook-deliveries" || relationship.dangling) continue;
      const update = db`
        update ${db(of.table)} set ${db(relationship.column)} = ${idOf(theirs, relationship.target)}
        where account_id = ${attacker.id} and id = ${idOf(own, of.type)}`;
      await assert.rejects(update, /foreign key/, `${of.type}.${name}`);
    }
});

test("200 · the same requests from inside do have their effect: the attacks above were real", async () => {
  guarded = false;
  // Types that refer to others come after them in the catalogue.
  const order = [...catalogue.resources.values()].toReversed();
  for (const of of order) {
    const id = idOf(theirs, of.type);
    for (const attempt of attemptsOn(of, id, (type) => idOf(theirs, type))) {
      if (attempt.method === "DELETE" && !attempt.path.includes("/relationships/")) continue;
      // A type can forbid links to itself.
      if (JSON.stringify(attempt.body ?? "").includes(`{"type":"${of.type}","id":"${id}"}`))
        continue;
      const answer = await sendKnowing(of, attempt);
      assert.equal(answer.status, 200, `${told(attempt)} ${answer.text}`);
      if (JSON.stringify(attempt.body ?? "").includes("Stolen"))
        assert.ok(Object.values(one(answer).attributes).includes("Stolen"), told(attempt));
    }
  }
  // A command also requires the right state. Here it is enough that the resource is found.
  for (const of of catalogue.commands.values()) {
    const answers = await Promise.all(
      [...theirs.values()].map((id) => askFor(of, asking(of, theirs, id), {})),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(
      statuses.some((status) => status < 300 || status === 409),
      `${of.type} ${statuses.join()}`,
    );
  }
  assert.equal((await send(revocationOf(idOf(theirs, "people")), {})).status, 204);
  for (const of of order)
    if (of.operations.delete) {
      const path = `/v1/${of.type}/${idOf(theirs, of.type)}`;
      const answer = await sendKnowing(of, { method: "DELETE", path });
      assert.equal(answer.status, 204, of.type);
    }
});
