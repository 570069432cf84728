import { limits } from "../../../base/limits.ts";
import { version } from "../../../base/version.ts";
import { definitionOf, targetOf } from "../../../jsonapi/definition/targets.ts";
import type { RawQuery } from "../../../jsonapi/request/query-reader.ts";
import { parseShape } from "../../../jsonapi/request/shape.ts";
import { documentOfOne } from "../../../jsonapi/routes/documents.ts";
import { listDocument } from "../../../jsonapi/routes/list.ts";
import type { RequestContext } from "../../../jsonapi/routes/steps.ts";
import { relatedTo } from "../../../jsonapi/sql/linkage.ts";
import { readOne } from "../../../jsonapi/sql/read.ts";
import { abilitiesOf } from "./abilities.ts";

export interface ServiceParts {
  sendsMail: boolean;
  /** The hash of the web app's sources. Null without a build. */
  web: string | null;
}

/** Everything that the frame of the web app needs: the person, the account, and what the person may do. */
export async function bootstrapOf(context: RequestContext, service: ServiceParts) {
  const { actor, catalogue } = context;
  const { accountId, personId } = actor;
  const [person, account, leads, teaches, session] = await Promise.all([
    read(context, "people", personId, {
      "fields[people]": "full-name,preferred-name,photo-url,locale",
    }),
    read(context, "accounts", accountId, {
      "fields[accounts]": "alias,church-name,logo-url,settings,custom-properties",
    }),
    related(context, "leads", { "fields[cells]": "name", "sort": "name" }),
    related(context, "teaches", { "fields[course-classes]": "name,course", "sort": "name" }),
    sessionOf(context),
  ]);
  return {
    person: {
      id: personId,
      ...person.attributes,
      "administrative-status": actor.administrativeStatus,
    },
    account: { id: accountId, ...account.attributes },
    abilities: abilitiesOf(actor, catalogue.declared.permissions),
    leads: leads.map(({ attributes, id }) => ({ id, ...attributes })),
    teaches: teaches.map(({ attributes, id, relationships }) => ({
      id,
      ...attributes,
      "course-id": relationships?.["course"]?.data?.id,
    })),
    session,
    service: {
      version,
      web: service.web,
      mail: service.sendsMail,
      limits: { "upload-bytes": limits.attachmentBytesMax },
    },
  };
}

interface ShownResource {
  id: string;
  attributes: Record<string, unknown>;
  relationships?: Record<string, { data?: { id: string } }>;
}

const dataOf = <Data>(body: string): Data => (JSON.parse(body) as { data: Data }).data;

/** The members as the interface shows them to this caller. */
async function read(
  context: RequestContext,
  type: string,
  id: string,
  query: RawQuery,
): Promise<ShownResource> {
  const resource = definitionOf(context.catalogue, type);
  const shape = parseShape(context.catalogue, resource, query);
  const found = await readOne(context, resource, id, shape);
  const { body } = await documentOfOne(context, resource, found, shape, "");
  return dataOf(body);
}

/** The first page of the resources related to the caller. */
async function related(
  context: RequestContext,
  name: string,
  query: RawQuery,
): Promise<ShownResource[]> {
  const people = definitionOf(context.catalogue, "people");
  const relationship = people.relationships[name];
  if (relationship?.kind !== "to-many") throw new Error(`People have no list of ${name}.`);
  const target = targetOf(context.catalogue, relationship);
  const restrict = relatedTo(context.actor.personId, relationship);
  return dataOf(await listDocument(context, target, query, "", restrict));
}

async function sessionOf({ actor, db }: RequestContext) {
  const [session] = await db<{ "expires-at": string; remember: boolean }[]>`
    select expires_at as "expires-at", is_remembered as remember from access_tokens
    where account_id = ${actor.accountId} and person_id = ${actor.personId} and id = ${actor.tokenId}`;
  return session;
}
