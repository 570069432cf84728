import { foldEmail } from "../../access/logins.ts";
import type { Db, Queryable } from "../../store/db.ts";
import { revised } from "../../store/sql.ts";
import {
  normalized,
  type Received,
  type ResourceKey,
  type VisitContext,
} from "../definition/public-write.ts";
import type { Resource } from "../definition/resource.ts";
import { forType } from "../definition/targets.ts";
import { insertRow } from "./write.ts";

/** The cells or classes that requests name. */
interface Places {
  table: string;
  /** The column of the request. */
  column: string;
  /** The page of the web app on which the request is decided. */
  page(this: void, id: string): string;
}

interface NewRequest {
  /** The attributes of the visitor's document. */
  given: Parameters<typeof normalized>[0];
  placeId: string;
  toOne: Readonly<Record<string, string>>;
  isProved: boolean;
  /** The people who get a mail about the request. */
  personIds: readonly string[];
}

/** Undoes a request that another one from the same address precedes. */
class Repeated extends Error {}

/** Deletes the contact data of requests that were decided 90 days ago. */
export const sweepContacts =
  (table: string, columns: readonly ("contact" | "message")[]) =>
  async (db: Db): Promise<number> => {
    const { count } = await db`
      update ${db(table)} set ${columns.map((column) => db`${db(column)} = null,`)} ${revised()}
      where contact is not null and decided_at <= now() - interval '90 days'`;
    return count;
  };

/** The statements of a type whose rows are requests of visitors to take part in something. */
export const visitorRequests = (resource: Resource, places: Places) => ({
  /**
   * Stores a request under the lock of its place, so that those from one address take turns. A second one, while the first is
   * undecided, counts as the first. It is stored and undone, because the time of the response would otherwise show that there
   * is a first one.
   */
  store: async (
    context: VisitContext,
    { given, isProved, personIds, placeId, toOne }: NewRequest,
  ): Promise<Received> => {
    const { actor, db } = context;
    const { contact, message } = normalized(given);
    const [first] = await db<{ id: string }[]>`
      select id from ${db(resource.table)}
      where account_id = ${actor.accountId} and ${db(places.column)} = ${placeId} and status = 'pending'
        and source = 'public' and lower(contact ->> 'email') = ${foldEmail(contact.email)}`;
    let id = "";
    try {
      await db.savepoint(async () => {
        const input = { attributes: { contact, message }, toOne, toMany: {} };
        ({ id } = await insertRow(forType(context, resource), resource, input, {
          source: "'public'",
        }));
        // The journal is written at the commit, which an undone request never reaches. A first one has as many statements.
        await (first ? db`set constraints all immediate` : db`set constraints all deferred`);
        if (!first) return;
        throw new Repeated();
      });
    } catch (error) {
      if (!(error instanceof Repeated)) throw error;
    }
    return {
      // Without a proof, a program could make the service send mails.
      ...(isProved && { confirms: { id: first?.id ?? id, email: contact.email } }),
      // The mails about an undone request find nothing to write about.
      arrived: { id, personIds },
    };
  },

  waiting: async (db: Queryable, { accountId, id }: ResourceKey) => {
    const [request] = await db<{ email: string; place: string }[]>`
      select request.contact ->> 'email' as email, place.name as place
      from ${db(resource.table)} request
      join ${db(places.table)} place on place.account_id = request.account_id and place.id = request.${db(places.column)}
      where request.account_id = ${accountId} and request.id = ${id} and request.status = 'pending'
        and not request.is_confirmed and request.contact ->> 'email' is not null`;
    return request;
  },

  arrived: async (db: Queryable, { accountId, id }: ResourceKey) => {
    const [place] = await db<{ id: string; name: string }[]>`
      select place.id, place.name
      from ${db(resource.table)} request
      join ${db(places.table)} place on place.account_id = request.account_id and place.id = request.${db(places.column)}
      where request.account_id = ${accountId} and request.id = ${id}`;
    return place && { place: place.name, page: places.page(place.id) };
  },

  markConfirmed: async (db: Queryable, { accountId, id }: ResourceKey): Promise<void> => {
    await db`
      update ${db(resource.table)} set is_confirmed = true, ${revised()}
      where account_id = ${accountId} and id = ${id} and status = 'pending'`;
  },
});
