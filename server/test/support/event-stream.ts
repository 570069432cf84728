import assert from "node:assert/strict";
import { FIRST_PARTY, type TestService } from "./service.ts";

export interface StreamEvent {
  id: string;
  /** `change`, `id` for an id without data, or `comment`. */
  event: string;
  data: unknown;
}

interface ListenOptions {
  as?: string;
  query?: string;
  lastEventId?: string;
  headers?: Record<string, string>;
}

/** Opens `/v1/changes/stream` as a browser would, with the token of the administrator unless it differs. */
export async function listen(
  { account, url }: Pick<TestService, "account" | "url">,
  { as = account.administrator.token, headers, lastEventId, query = "" }: ListenOptions = {},
) {
  const controller = new AbortController();
  const answer = await fetch(`${url}/v1/changes/stream?${query}`, {
    headers: {
      "Accept": "text/event-stream",
      "Accept-Encoding": "gzip, br",
      ...(headers ?? { Origin: FIRST_PARTY, Authorization: `Bearer ${as}` }),
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    signal: controller.signal,
  });
  if (answer.status !== 200) assert.fail(await answer.text());
  // The reader is taken at once, because `fetch` cancels a body without one when its response is collected.
  const events = eventsIn((answer.body as ReadableStream<Uint8Array>).values());
  /** The next event of this kind. Others are passed over. */
  const next = async (event: string): Promise<StreamEvent> => {
    for (;;) {
      const { value } = await events.next();
      if (!value) assert.fail("the stream has ended");
      if (value.event === event) return value;
    }
  };
  return {
    headers: answer.headers,
    next,
    /** The changes until the service ends the stream. */
    rest: async (): Promise<StreamEvent[]> => {
      const all: StreamEvent[] = [];
      for await (const one of events) if (one.event === "change") all.push(one);
      return all;
    },
    close: () => controller.abort(),
  };
}

async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield eventOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function eventOf(block: string): StreamEvent {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
    }),
  );
  const data = fields.get("data");
  const id = fields.get("id") ?? "";
  return {
    id,
    event: fields.get("event") ?? (id === "" ? "comment" : "id"),
    data: data === undefined ? undefined : JSON.parse(data),
  };
}
