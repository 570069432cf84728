import { type Answer, document, type RequestOptions, type TestService } from "./service.ts";

/** The document of a merge of these people. */
export const mergeOf = (
  kept: string,
  removed: readonly string[],
  attributes: Record<string, unknown> = {},
) =>
  document("person-merges", attributes, {
    relationships: {
      kept: { data: { type: "people", id: kept } },
      removed: { data: removed.map((id) => ({ type: "people", id })) },
    },
  });

/** Merges people. */
export const merge = (
  service: TestService,
  kept: string,
  removed: readonly string[],
  attributes: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<Answer> =>
  service.post("/v1/person-merges", mergeOf(kept, removed, attributes), options);
