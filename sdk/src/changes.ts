import { VestryError } from "./errors.ts";
import { type Answer, jsonOf, type RequestOptions, wait } from "./request.ts";
import type { ResourceType } from "./types.ts";

export type ChangeAction = "created" | "updated" | "deleted" | "merged" | "entered" | "left";

/** A row of the feed of changes. */
export interface Change {
  /** Store it together with what the row changes in the copy, and continue there. */
  position: string;
  action: ChangeAction;
  type: ResourceType;
  id: string;
  /** The kept person, after a merge. */
  mergedInto: string | null;
  occurredAt: string;
  /** The members that changed, for `updated`. */
  changed: readonly string[];
  /** The integration that wrote it. */
  client: string | null;
  requestId: string | null;
}

export interface ChangePage {
  items: Change[];
  /** The position after the page. Rows that the caller does not see move it, too. */
  position: string;
  isComplete: boolean;
  /** The number of rows that wait, counted up to 10,000. */
  behind: number;
}

export interface ChangeQuery {
  types?: readonly ResourceType[] | undefined;
  actions?: readonly ChangeAction[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface FollowOptions extends ChangeQuery {
  /** The pause before the next look when no row waits. Without it, the changes end there. */
  pauseMs?: number | undefined;
}

/**
 * The lists to read again with the filter `by`, when a resource of the type enters, leaves, is deleted or merged. These
 * resources may have no rows of their own then.
 */
export const goesWith: Readonly<
  Partial<Record<ResourceType, readonly { type: ResourceType; by: string }[]>>
> = {
  "course-materials": [{ type: "material-attachments", by: "material" }],
  "forms": [
    { type: "form-versions", by: "form" },
    { type: "form-submissions", by: "form" },
  ],
  "people": [{ type: "notes", by: "about" }],
};

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

interface Row {
  id: string;
  attributes: {
    "action": ChangeAction;
    "resource-type": ResourceType;
    "resource-id": string;
    "merged-into": string | null;
    "occurred-at": string;
    "changed": string[];
    "client": string | null;
    "request-id": string | null;
  };
}

interface Document {
  data: Row[];
  links: { next: string };
  meta: { "is-complete": boolean; "behind": number };
}

const PAGE_SIZE = 1000;

export async function readChanges(
  send: Send,
  position: string,
  { actions, signal, types }: ChangeQuery,
): Promise<ChangePage> {
  const query = {
    "page[after]": position,
    "page[size]": PAGE_SIZE,
    "filter[types]": types?.join(),
    "filter[action]": actions?.join(),
  };
  const answer = await send("GET", "/v1/changes", { query, signal });
  const { data, links, meta } = jsonOf<Document>(answer);
  return {
    items: data.map(({ attributes, id }) => ({
      position: id,
      action: attributes.action,
      type: attributes["resource-type"],
      id: attributes["resource-id"],
      mergedInto: attributes["merged-into"],
      occurredAt: attributes["occurred-at"],
      changed: attributes.changed,
      client: attributes.client,
      requestId: attributes["request-id"],
    })),
    position: new URL(links.next, "http://localhost").searchParams.get("page[after]") ?? position,
    isComplete: meta["is-complete"],
    behind: meta.behind,
  };
}

/** With a pause, a service that is away is asked again. A position that no longer holds is an error with the status 410. */
export async function* followChanges(
  send: Send,
  from: string,
  { pauseMs, ...query }: FollowOptions,
): AsyncGenerator<Change, void> {
  for (let position = from; ; ) {
    let page: ChangePage | undefined;
    try {
      page = await readChanges(send, position, query);
    } catch (error) {
      if (pauseMs === undefined || !isAway(error)) throw error;
      await wait(error.retryAfter === undefined ? pauseMs : error.retryAfter * 1000, query.signal);
    }
    query.signal?.throwIfAborted();
    if (!page) continue;
    yield* page.items;
    position = page.position;
    if (!page.isComplete) continue;
    if (pauseMs === undefined) return;
    await wait(pauseMs, query.signal);
    query.signal?.throwIfAborted();
  }
}

const isAway = (error: unknown): error is VestryError =>
  error instanceof VestryError &&
  (error.status === 0 || error.status === 429 || error.status >= 500);
