import assert from "node:assert/strict";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { triggersOf } from "../../src/contract/journal-sql.ts";
import type { TestService } from "../support/service.ts";

type Change = "created" | "updated" | "deleted";

/** The journal has the write as its newest row about the resource, with an entry that names the person. */
export async function assertRecorded(
  { account, db }: TestService,
  resource: Resource,
  id: string,
  change: Change,
): Promise<void> {
  if (triggersOf(resource).length === 0) return;
  const [newest] = await db<{ action: string; entry: string; actor: string; request: string }[]>`
    select action, entry, actor_id as actor, request_id as request from journal
    where account_id = ${account.id} and resource_type = ${resource.type} and resource_id = ${id}
    order by id desc limit 1`;
  assert.deepEqual([newest?.action, newest?.actor], [change, account.administrator.id]);
  assert.ok([change, "permission-changed"].includes(newest?.entry ?? ""), newest?.entry ?? "none");
  assert.ok(newest?.request);
}
