import assert from "node:assert/strict";
import type { Member } from "./make.ts";
import { codes, type Resource, type TestService } from "./service.ts";

/** The feed of changes, as the administrator of the account or another person reads it. */
export function feedOf(service: Pick<TestService, "get">) {
  const ask = (query: string, by?: Member) =>
    service.get(`/v1/changes?${query}`, by ? { as: by.token } : {});
  /** Undefined if the position no longer holds. */
  const page = async (query: string, by?: Member) => {
    const answer = await ask(query, by);
    if (codes(answer).includes("reach-changed")) return undefined;
    assert.equal(answer.status, 200, answer.text);
    const { data, links, meta } = answer.document;
    return {
      changes: data as Resource[],
      behind: meta?.["behind"],
      isComplete: meta?.["is-complete"] === true,
      next: new URL(links?.["next"] ?? "").searchParams.get("page[after]") ?? "",
    };
  };
  const readOrNone = (after: string | undefined, query = "", by?: Member) =>
    page(`${after === undefined ? "" : `page[after]=${after}&`}${query}`, by);
  const read = async (...query: Parameters<typeof readOrNone>) =>
    (await readOrNone(...query)) ?? assert.fail("The position no longer holds.");
  return {
    ask,
    now: async (by?: Member) => (await read("now", "", by)).next,
    read,
    readOrNone,
  };
}

/** `created people <id>` for each row. */
export const told = (changes: readonly Pick<Resource, "attributes">[]): string[] =>
  changes.map(({ attributes: { action, "resource-type": type, "resource-id": id } }) =>
    [action, type, id].join(" "),
  );
