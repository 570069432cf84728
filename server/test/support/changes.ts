import assert from "node:assert/strict";
import type { Member } from "./make.ts";
import type { Resource, TestService } from "./service.ts";

/** The feed of changes, as the administrator of the account or another person reads it. */
export function feedOf(service: Pick<TestService, "get">) {
  const page = async (query: string, by?: Member) => {
    const answer = await service.get(`/v1/changes?${query}`, by ? { as: by.token } : {});
    assert.equal(answer.status, 200, answer.text);
    const { data, links, meta } = answer.document;
    return {
      changes: data as Resource[],
      isComplete: meta?.["is-complete"] === true,
      next: new URL(links?.["next"] ?? "").searchParams.get("page[after]") ?? "",
    };
  };
  return {
    now: async (by?: Member) => (await page("page[after]=now", by)).next,
    read: (after: string | undefined, query = "", by?: Member) =>
      page(`${after === undefined ? "" : `page[after]=${after}&`}${query}`, by),
  };
}

/** `created people <id>` for each row. */
export const told = (changes: readonly Pick<Resource, "attributes">[]): string[] =>
  changes.map(({ attributes: { action, "resource-type": type, "resource-id": id } }) =>
    [action, type, id].join(" "),
  );
