import { ApiError, fail } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { isObject } from "../request/input.ts";
import { currentIds, keptPersonOf } from "../sql/merged-people.ts";
import { isReadable } from "../sql/read.ts";
import { contextOf, type Handler, idIn, type RouteDependencies } from "./steps.ts";

/** Ids of people who were merged. Only requests that failed look them up, so other requests pay nothing. */

/** The routes of one person name the kept person in the 404 for a merged one, if the caller can read the kept person. */
export const namingKept =
  (people: Resource, dependencies: RouteDependencies, handler: Handler): Handler =>
  async (request, reply) => {
    try {
      return await handler(request, reply);
    } catch (error) {
      const id = idIn(request);
      if (!isAbsence(error) || !isId(id)) throw error;
      const context = await contextOf(dependencies, people, request);
      const keptId = await keptPersonOf(context, id);
      if (keptId === undefined || !(await isReadable(context, people, keptId))) throw error;
      throw fail("person-merged", "This person was merged into another one.", undefined, {
        "merged-into": keptId,
      });
    }
  };

const isAbsence = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.problems.every(({ code, source }) => code === "not-found" && source === undefined);

/** Whether the error can result from the id of a merged person in the document. */
export const mayNameMerged = (error: unknown): boolean =>
  error instanceof ApiError && [403, 422].includes(error.status);

/** The document with the ids of the kept people, or undefined if it names no merged person. */
export async function withKeptPeople(context: ReadContext, document: unknown): Promise<unknown> {
  const ids = [...new Set(idsIn(document))];
  if (ids.length === 0) return undefined;
  const current = await currentIds(context, ids);
  return current.size === 0 ? undefined : replaced(document, current);
}

function* idsIn(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (isId(value)) yield value;
  } else if (Array.isArray(value) || isObject(value))
    for (const member of Object.values(value)) yield* idsIn(member);
}

function replaced(value: unknown, current: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return current.get(value) ?? value;
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, current));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member, current)]),
  );
}
