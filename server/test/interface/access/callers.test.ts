import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Credentials, identify } from "../../../src/access/identify.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import {
  allowIntegration,
  createIntegration,
  disallowIntegration,
  revokeIntegration,
  rotateIntegration,
} from "../../../src/access/integrations.ts";
import { newAccessToken, newClientToken } from "../../../src/access/tokens.ts";
import { ApiError } from "../../../src/base/errors.ts";
import { newId } from "../../../src/base/ids.ts";
import type { Db } from "../../../src/store/db.ts";
import { type FreshDatabase, sharedDatabase } from "../../support/database.ts";
import { type TestAccount, makeAssignment, makeAccount, makePerson } from "../../support/make.ts";

const { declared } = describedCatalogue;

const NAME = `Sync ${newId()}`;
const FIRST = "https://app.example";
const options = { origins: new Set([FIRST]), rights: declared };

let database: FreshDatabase;
let db: Db;
let account: TestAccount;
let clientToken: string;
let integrationId: string;

before(async () => {
  database = await sharedDatabase();
  db = database.db;
  account = await makeAccount(db);
  const made = await createIntegration(db, { name: NAME });
  ({ id: integrationId, token: clientToken } = made);
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  await allowIntegration(db, { id: integrationId, alias: account.alias });
});
after(() => database.close());

type Route = Parameters<typeof identify>[3];

const actorOf = (credentials: Credentials, route: Route = "data") =>
  identify(db, credentials, options, route);

/** `401 credentials-missing`, or `ok`. */
async function outcome(credentials: Credentials, route: Route = "data"): Promise<string> {
  try {
    await actorOf(credentials, route);
    return "ok";
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    if (error.status === 401) assert.ok(error.headers["WWW-Authenticate"]);
    return [error.status, ...error.problems.map(({ code }) => code)].join(" ");
  }
}

const bearer = () => `Bearer ${account.administrator.token}`;

/** The sources of the errors. */
async function named(credentials: Credentials, route: Route = "data"): Promise<unknown[]> {
  const error = await actorOf(credentials, route).catch((refusal: unknown) => refusal);
  assert.ok(error instanceof ApiError, String(error));
  return error.problems.map(({ source }) => source);
}

describe("a first-party browser", () => {
  test("200 · a bearer token is enough", async () => {
    const actor = await actorOf({ authorization: bearer(), origin: FIRST });
    assert.equal(actor.accountId, account.id);
    assert.equal(actor.personId, account.administrator.id);
    assert.equal(actor.administrativeStatus, "full-administrator");
    assert.equal(actor.integrationId, undefined);
  });

  test("200 · a client token is ignored", async () => {
    for (const token of [clientToken, newClientToken().token, "x", ""]) {
      const credentials = { authorization: bearer(), origin: FIRST, clientToken: token };
      assert.equal((await actorOf(credentials)).integrationId, undefined, token);
    }
  });

  test("200 · the scheme is case-insensitive", async () => {
    const authorization = bearer().replace("Bearer", "bEARER");
    assert.equal(await outcome({ authorization, origin: FIRST }), "ok");
  });

  test("401 · missing, malformed and unknown credentials are rejected", async () => {
    const cases: [string | undefined, string][] = [
      [undefined, "credentials-missing"],
      ["", "credentials-missing"],
      ["Bearer", "credentials-invalid"],
      ["Basic YWRhOnB3", "credentials-invalid"],
      [account.administrator.token, "credentials-invalid"],
      [`Account ${account.id}`, "credentials-invalid"],
      [`Bearer ${newAccessToken(account.id).token}`, "credentials-invalid"],
      [`Bearer ${newAccessToken(newId()).token}`, "credentials-invalid"],
      [`${bearer()} ${account.administrator.token}`, "credentials-invalid"],
    ];
    for (const [authorization, code] of cases)
      assert.equal(
        await outcome({ authorization, origin: FIRST }),
        `401 ${code}`,
        String(authorization),
      );
  });

  test("401 · an expired token and the token of an inactive person are rejected", async () => {
    const person = await makePerson(db, account.id);
    const credentials = { authorization: `Bearer ${person.token}`, origin: FIRST };
    assert.equal(await outcome(credentials), "ok");
    await db`update people set is_active = false where id = ${person.id}`;
    assert.equal(await outcome(credentials), "401 credentials-invalid");
    await db`update people set is_active = true where id = ${person.id}`;
    await db`update access_tokens set expires_at = now() - interval '1 second' where person_id = ${person.id}`;
    assert.equal(await outcome(credentials), "401 credentials-invalid");
  });

  test("403 · an inactive account is rejected", async () => {
    await db`update accounts set status = 'inactive' where id = ${account.id}`;
    const said = await outcome({ authorization: bearer(), origin: FIRST });
    await db`update accounts set status = 'active' where id = ${account.id}`;
    assert.equal(said, "403 account-inactive");
  });
});

describe("an external integration", () => {
  test("200 · a client token and a bearer token identify the integration and the person", async () => {
    for (const origin of [undefined, "https://elsewhere.example", "null"]) {
      const actor = await actorOf({ authorization: bearer(), clientToken, origin });
      assert.equal(actor.integrationId, integrationId);
      assert.equal(actor.personId, account.administrator.id);
    }
  });

  test("401 · both tokens are required, and the error names each missing one", async () => {
    assert.equal(await outcome({}), "401 credentials-missing client-token-missing");
    assert.equal(await outcome({ authorization: bearer() }), "401 client-token-missing");
    assert.equal(await outcome({ clientToken }), "401 credentials-missing");
    for (const wrong of ["x", newClientToken().token, account.administrator.token])
      assert.equal(
        await outcome({ authorization: bearer(), clientToken: wrong }),
        "401 client-token-invalid",
        wrong,
      );
  });

  test("403 · the account must be approved and allow the integration; 401 comes first", async () => {
    const credentials = { authorization: bearer(), clientToken };
    await db`update accounts set integration_approved = false where id = ${account.id}`;
    assert.equal(await outcome(credentials), "403 church-not-approved");
    assert.equal(
      await outcome({ ...credentials, clientToken: newClientToken().token }),
      "401 client-token-invalid",
    );
    await db`update accounts set integration_approved = true where id = ${account.id}`;
    await disallowIntegration(db, { id: integrationId, alias: account.alias });
    assert.equal(await outcome(credentials), "403 integration-not-allowed");
    await allowIntegration(db, { id: integrationId, alias: account.alias });
    assert.equal(await outcome(credentials), "ok");
  });

  test("403 · each account allows and disallows an integration for itself", async () => {
    const other = await makeAccount(db);
    await db`update accounts set integration_approved = true where id = ${other.id}`;
    const authorization = `Bearer ${other.administrator.token}`;
    const theirs = () => outcome({ authorization, clientToken });
    assert.equal(await theirs(), "403 integration-not-allowed");
    await allowIntegration(db, { id: integrationId, alias: other.alias });
    assert.equal(await theirs(), "ok");
    await disallowIntegration(db, { id: integrationId, alias: other.alias });
    assert.equal(await theirs(), "403 integration-not-allowed");
    assert.equal(await outcome({ authorization: bearer(), clientToken }), "ok");
  });

  test("401 · rotation ends the old token at once, and revocation ends the integration", async () => {
    const made = await createIntegration(db, { name: "Short-lived" });
    await allowIntegration(db, { id: made.id, alias: account.alias });
    const withToken = (token: string) => outcome({ authorization: bearer(), clientToken: token });
    assert.equal(await withToken(made.token), "ok");
    const rotated = await rotateIntegration(db, { id: made.id });
    assert.equal(await withToken(made.token), "401 client-token-invalid");
    assert.equal(await withToken(rotated.token), "ok");
    for (const _ of [1, 2])
      assert.equal((await revokeIntegration(db, { id: made.id })).name, "Short-lived");
    assert.equal(await withToken(rotated.token), "401 client-token-invalid");
    await assert.rejects(rotateIntegration(db, { id: made.id }), /not-found/);
    await assert.rejects(allowIntegration(db, { id: made.id, alias: account.alias }), /not-found/);
  });

  test("an operator's mistake has an error code", async () => {
    await assert.rejects(createIntegration(db, { name: NAME }), /already-exists/);
    await assert.rejects(createIntegration(db, { name: " " }), /invalid-attribute/);
    await assert.rejects(revokeIntegration(db, { id: "x" }), /not-found/);
    await assert.rejects(
      allowIntegration(db, { id: integrationId, alias: "no" }),
      /not-found.*alias/,
    );
  });
});

describe("webhook management", () => {
  const managed = (credentials: Credentials) => outcome(credentials, "webhook-management");

  test("200 · a full administrator may call without an origin or from a first-party origin", async () => {
    assert.equal(await managed({ authorization: bearer() }), "ok");
    assert.equal(await managed({ authorization: bearer(), origin: FIRST }), "ok");
  });

  test("401 · the bearer token is checked first", async () => {
    assert.equal(await managed({ clientToken }), "401 credentials-missing");
    const authorization = `Bearer ${newAccessToken(account.id).token}`;
    assert.equal(
      await managed({ authorization, clientToken, origin: "https://evil.example" }),
      "401 credentials-invalid",
    );
  });

  test("403 · a client token or a foreign origin is rejected", async () => {
    for (const token of [clientToken, "x", ""])
      assert.equal(
        await managed({ authorization: bearer(), clientToken: token, origin: FIRST }),
        "403 client-token-unsupported",
      );
    for (const origin of ["https://evil.example", "null", ""])
      assert.equal(await managed({ authorization: bearer(), origin }), "403 origin-not-allowed");
  });

  test("403 · every other caller is rejected", async () => {
    const plain = await makePerson(db, account.id);
    const administrator = await makePerson(db, account.id, {
      administrativeStatus: "administrator",
    });
    for (const { token } of [plain, administrator])
      assert.equal(await managed({ authorization: `Bearer ${token}` }), "403 forbidden");
  });
});

describe("permissions are read at each request", () => {
  const assignmentsOf = async (token: string) =>
    (await actorOf({ authorization: `Bearer ${token}`, origin: FIRST })).assignments.filter(
      (one) => !declared.everyone.includes(one),
    );

  test("a preset role has the permissions of this version, within its scope", async () => {
    const { id, token } = await makePerson(db, account.id);
    assert.deepEqual(await assignmentsOf(token), []);
    const cell = newId();
    await makeAssignment(db, account.id, {
      personId: id,
      role: "secretary",
      scopeType: "cell",
      scopeIds: [cell],
    });
    const [assigned, ...others] = await assignmentsOf(token);
    assert.deepEqual(others, []);
    assert.equal(assigned?.scopeType, "cell");
    assert.deepEqual(assigned?.scopeIds, [cell]);
    assert.ok(assigned?.permissions.includes("people:merge"));
  });

  test("an assignment applies from valid-from until valid-until", async () => {
    const { id, token } = await makePerson(db, account.id);
    const given = await makeAssignment(db, account.id, { personId: id, role: "pastor" });
    const count = async (from: string | null, until: string | null) => {
      await db`
        update role_assignments
        set valid_from = now() + ${from}::interval, valid_until = now() + ${until}::interval
        where id = ${given}`;
      return (await assignmentsOf(token)).length;
    };
    assert.equal(await count(null, null), 1);
    assert.equal(await count("-1 day", "1 day"), 1);
    assert.equal(await count("1 day", null), 0);
    assert.equal(await count(null, "-1 day"), 0);
  });

  test("leading a cell and teaching a class are roles while they last", async () => {
    const { id, token } = await makePerson(db, account.id);
    const [cell, course, lesson] = [newId(), newId(), newId()];
    await db`insert into cells (account_id, id, name) values (${account.id}, ${cell}, 'North')`;
    await db`
      insert into cell_memberships (account_id, id, cell_id, person_id, cell_role)
      values (${account.id}, ${newId()}, ${cell}, ${id}, 'leader')`;
    await db`insert into courses (account_id, id, name) values (${account.id}, ${course}, 'Basics')`;
    await db`
      insert into course_classes (account_id, id, course_id, name)
      values (${account.id}, ${lesson}, ${course}, 'Autumn')`;
    await db`
      insert into course_class_teachers (account_id, class_id, person_id)
      values (${account.id}, ${lesson}, ${id})`;
    const assigned = await assignmentsOf(token);
    assert.deepEqual(
      assigned.map(({ scopeType, scopeIds }) => [scopeType, ...scopeIds]),
      [
        ["cell", cell],
        ["course-class", lesson],
      ],
    );
    assert.ok(assigned[0]?.permissions.includes("cell-memberships:read"));

    await db`update cell_memberships set status = 'left' where person_id = ${id}`;
    await db`delete from course_class_teachers where person_id = ${id}`;
    assert.deepEqual(await assignmentsOf(token), []);
  });
});

test("401 · 403 · an error about a credential names its header", async () => {
  const [authorization, token, origin] = [
    { header: "Authorization" },
    { header: "X-SVC-API-Token" },
    { header: "Origin" },
  ];
  const unknown = `Bearer ${newAccessToken(account.id).token}`;
  assert.deepEqual(await named({}), [authorization, token]);
  assert.deepEqual(await named({ authorization: "Basic x", clientToken: "x" }), [
    authorization,
    token,
  ]);
  assert.deepEqual(await named({ authorization: unknown, origin: FIRST }), [authorization]);
  const another = newClientToken().token;
  assert.deepEqual(await named({ authorization: bearer(), clientToken: another }), [token]);
  const managing = { authorization: bearer() };
  assert.deepEqual(await named({ ...managing, clientToken }, "webhook-management"), [token]);
  const foreign = { ...managing, origin: "https://evil.example" };
  assert.deepEqual(await named(foreign, "webhook-management"), [origin]);
});
