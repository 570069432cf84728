import { assignments } from "../../src/store/sql.ts";
import { fullAdministrator } from "../../src/access/policy.ts";
import { fail, invalid, notAllowedHere } from "../../src/base/errors.ts";
import { newId } from "../../src/base/ids.ts";
import {
  describe,
  integer,
  map,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../src/jsonapi/definition/attributes.ts";
import { checkCatalogue } from "../../src/jsonapi/definition/check.ts";
import { command } from "../../src/jsonapi/definition/command.ts";
import { keyRequired } from "../../src/jsonapi/request/idempotency.ts";
import {
  resource,
  type Reveal,
  type WriteContext,
  type Written,
} from "../../src/jsonapi/definition/resource.ts";
import { staleVersion } from "../../src/jsonapi/sql/write.ts";
import type { Tx } from "../../src/store/db.ts";
import { linkOnly, toMany, toOne } from "../../src/jsonapi/definition/relationships.ts";

/**
 * Types of the tests' own, on tables that are there: what definitions may say is promised without the rules of any
 * feature. A signpost points somewhere (`url`), has a secret that a new URL replaces, and a diary.
 */

const callers = "webhook-management";

/** Hosts that `before` refuses, for as long as they are in here. */
export const unreachable = new Set<string>();

const before = async (
  _context: unknown,
  { attributes: { url } }: { attributes: { url?: string } },
): Promise<undefined> => {
  if (url !== undefined && unreachable.has(new URL(url).host))
    throw invalid("/data/attributes/url", notAllowedHere("Nothing is there."));
};

async function keepSecret(tx: Tx, accountId: string, id: string, generation: number) {
  await tx`delete from webhook_secrets where account_id = ${accountId} and endpoint_id = ${id}`;
  await tx`
    insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
    values (${accountId}, ${id}, ${generation}, ${Buffer.from(`secret ${newId()}`)})`;
  return { id, reveals: { id, generation } };
}

async function note({ actor, db }: WriteContext, of: string, change: string): Promise<string> {
  const id = newId();
  await db`
    insert into webhook_endpoint_changes (account_id, id, endpoint_id, change, details, changed_by)
    values (${actor.accountId}, ${id}, ${of}, ${change}, '{"weather": "fine"}', ${actor.personId})`;
  return id;
}

const reveal: Reveal = async ({ actor, db }, { generation, id }) => {
  const [row] = await db<{ encrypted: Buffer }[]>`
    select encrypted from webhook_secrets where account_id = ${actor.accountId}
      and endpoint_id = ${String(id)} and generation = ${Number(generation)}`;
  return row && { secret: row.encrypted.toString() };
};

async function lock({ actor, db, expectedVersion }: WriteContext, id: string): Promise<void> {
  const [row] = await db<{ version: number }[]>`
    select version from webhook_endpoints
    where account_id = ${actor.accountId} and id = ${id} and status <> 'deleted' for update`;
  if (!row) throw fail("not-found", "There is no such signpost.");
  if (expectedVersion !== undefined && row.version !== expectedVersion) throw staleVersion();
}

async function renew(context: WriteContext, id: string): Promise<Written> {
  const { accountId } = context.actor;
  const [row] = await context.db<{ generation: number }[]>`
    update webhook_endpoints set version = version + 1, secret_generation = secret_generation + 1
    where account_id = ${accountId} and id = ${id} returning secret_generation as generation`;
  await note(context, id, "renewed");
  return keepSecret(context.db, accountId, id, row?.generation ?? 0);
}

const signposts = resource({
  type: "signposts",
  description: "Points somewhere.",
  table: "webhook_endpoints",
  rows: "webhook_endpoints.status <> 'deleted'",
  callers,
  pageSize: 2,
  versionTag: "signpost",
  attributes: {
    "created-at": readOnly(timestamp()),
    "name": optional(text({ maxLength: 40 })),
    "url": text({ maxLength: 200, pattern: "^https://", examples: ["https://a.example/"] }),
    "secret-generation": readOnly(integer({ minimum: 1 })),
    "normalized-url": describe(readOnly(text({ maxLength: 200 })), { detailOnly: true }),
  },
  relationships: {
    diary: linkOnly(
      toMany("signpost-entries", {
        table: "webhook_endpoint_changes",
        from: "endpoint_id",
        to: "id",
      }),
    ),
  },
  filters: {},
  sorts: { "created-at": { column: "created_at" } },
  defaultSort: "created-at",
  operations: {
    list: fullAdministrator,
    read: fullAdministrator,
    create: {
      allow: fullAdministrator,
      key: "ignored",
      before,
      reveal,
      async run(context, { attributes }) {
        const { accountId } = context.actor;
        const id = newId();
        const { name = null, url } = attributes;
        await context.db`
          insert into webhook_endpoints (account_id, id, name, url, normalized_url, events)
          values (${accountId}, ${id}, ${name}, ${url}, ${url}, ${["person.created"]})`;
        await note(context, id, "created");
        if (name === "Forgetful") return { id, reveals: { id, generation: 1 } };
        return keepSecret(context.db, accountId, id, 1);
      },
    },
    update: {
      allow: fullAdministrator,
      before,
      reveal,
      async run(context, id, { attributes }) {
        const { accountId } = context.actor;
        if (attributes.url !== undefined && context.key === undefined) throw keyRequired();
        await lock(context, id);
        for (const [name, value] of Object.entries(attributes))
          await context.db`
            update webhook_endpoints set ${assignments({ [name]: value })}
            where account_id = ${accountId} and id = ${id}`;
        if (attributes.url !== undefined) return renew(context, id);
        await context.db`
          update webhook_endpoints set version = version + 1
          where account_id = ${accountId} and id = ${id}`;
        return { id };
      },
    },
    delete: {
      allow: fullAdministrator,
      async run(context, id) {
        await lock(context, id);
        const { accountId } = context.actor;
        await context.db`
          update webhook_endpoints set status = 'deleted'
          where account_id = ${accountId} and id = ${id}`;
        await context.db`
          delete from webhook_secrets where account_id = ${accountId} and endpoint_id = ${id}`;
      },
    },
  },
  constraints: {
    webhook_endpoints_url_key: {
      pointer: "/data/attributes/url",
      detail: "Another signpost points there.",
      code: "already-exists",
    },
  },
});

const entries = resource({
  type: "signpost-entries",
  description: "What happened to a signpost.",
  table: "webhook_endpoint_changes",
  callers,
  unversioned: true,
  attributes: {
    "happened-at": readOnly(timestamp()),
    "change": readOnly(text({ maxLength: 40 })),
    "details": describe(readOnly(map(text({ maxLength: 40 }), 9)), { detailOnly: true }),
  },
  relationships: { signpost: linkOnly(toOne("signposts", { column: "endpoint_id" })) },
  filters: {},
  sorts: { "happened-at": { column: "happened_at" } },
  defaultSort: "-happened-at",
  operations: { list: fullAdministrator, read: fullAdministrator },
});

const renewals = command({
  type: "signpost-renewals",
  description: "Gives a signpost a new secret.",
  callers,
  attributes: { reason: optional(text({ maxLength: 40 })) },
  relationships: { signpost: toOne("signposts", { column: "", required: true }) },
  allow: fullAdministrator,
  key: "required",
  status: 201,
  answers: "signposts",
  reveal,
  async run(context, { toOne: { signpost } }) {
    await lock(context, signpost);
    return renew(context, signpost);
  },
});

/** Takes a key and needs none, and is done later. */
const inspections = command({
  type: "signpost-inspections",
  description: "Has somebody look at a signpost.",
  callers,
  attributes: {
    "signpost-id": text({ examples: ["01980e5c-4a00-7000-8000-000000000001"], maxLength: 36 }),
  },
  relationships: {},
  allow: fullAdministrator,
  key: "optional",
  status: 202,
  answers: "signpost-entries",
  async run(context, { attributes }) {
    const signpost = attributes["signpost-id"];
    await lock(context, signpost);
    return { id: await note(context, signpost, "inspected") };
  },
});

export const catalogue = checkCatalogue([signposts, entries], [renewals, inspections]);
