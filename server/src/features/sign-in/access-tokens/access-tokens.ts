import type { FastifyInstance } from "fastify";
import type { Actor } from "../../../access/actor.ts";
import { notFound } from "../../../base/errors.ts";
import { isId } from "../../../base/ids.ts";
import { checkAccept } from "../../../jsonapi/request/media-type.ts";
import { pageSizesOf, readNumberedPage } from "../../../jsonapi/request/pages.ts";
import { QueryReader, type RawQuery } from "../../../jsonapi/request/query-reader.ts";
import { writeDocument } from "../../../jsonapi/response/document.ts";
import { numberedParts, pageLinks } from "../../../jsonapi/response/pages.ts";
import { idIn, type RouteDependencies, send } from "../../../jsonapi/routes/steps.ts";
import type { Db } from "../../../store/db.ts";

const TYPE = "access-tokens";
const path = `/v1/${TYPE}`;

type AccessTokenDeps = Pick<RouteDependencies, "db" | "identify" | "publicUrl">;

/**
 * The places where a person is logged in: browser sessions and access tokens. People see and end only their own.
 * `access-token-revocations` ends all tokens of a person.
 */
export function registerAccessTokens(
  app: FastifyInstance,
  { db, identify, publicUrl }: AccessTokenDeps,
): void {
  app.get(path, async (request, reply) => {
    checkAccept(request.headers.accept);
    const actor = await identify(request, "data");
    const reader = new QueryReader(request.query as RawQuery);
    const page = readNumberedPage(reader, pageSizesOf({}));
    reader.finish();
    const { tokens, total } = await tokensOf(db.ofAccount(actor.accountId), actor, page);
    const data = `[${tokens.map((token) => JSON.stringify(token)).join(",")}]`;
    const link = pageLinks(publicUrl + path, []);
    return send(reply, writeDocument({ data, ...numberedParts(link, page, total) }));
  });

  app.delete(`${path}/:id`, async (request, reply) => {
    const actor = await identify(request, "data");
    const id = idIn(request);
    const { count } = isId(id)
      ? await endToken(db.ofAccount(actor.accountId), actor, id)
      : { count: 0 };
    if (count === 0) throw notFound();
    return reply.code(204).send();
  });
}

interface AccessTokenResource {
  type: typeof TYPE;
  id: string;
  attributes: {
    "kind": "browser" | "bearer";
    "created-at": string;
    "last-used-at": string;
    "expires-at": string;
    "device": string | null;
    "is-current": boolean;
  };
}

async function tokensOf(
  db: Db,
  { accountId, personId, tokenId }: Actor,
  { number, size }: { number: number; size: number },
): Promise<{ tokens: AccessTokenResource[]; total: number }> {
  const mine = db`person_id = ${personId} and expires_at > now()`;
  const [[counted], rows] = await Promise.all([
    db<
      { total: number }[]
    >`select count(*)::integer as total from access_tokens where account_id = ${accountId} and ${mine}`,
    db<(AccessTokenResource["attributes"] & { id: string })[]>`
      select id, kind, created_at as "created-at", date_trunc('hour', last_used_at) as "last-used-at",
        expires_at as "expires-at", device, id = ${tokenId} as "is-current"
      from access_tokens where account_id = ${accountId} and ${mine}
      order by id = ${tokenId} desc, last_used_at desc, id
      limit ${size} offset ${(number - 1) * size}`,
  ]);
  return {
    total: counted?.total ?? 0,
    tokens: rows.map(({ id, ...attributes }) => ({ type: TYPE, id, attributes })),
  };
}

const endToken = (db: Db, { accountId, personId }: Actor, id: string) => db`
  delete from access_tokens
  where account_id = ${accountId} and person_id = ${personId} and id = ${id}`;
