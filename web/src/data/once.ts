/** Statuses that say nothing about an earlier request whose answer was lost. */
const isAnswer = (status: number) => status < 500 && ![401, 408, 429].includes(status);

/** The writes of this tab without an answer, and when they were sent. */
const waiting = new Map<string, number>();

/** After this time, the person has probably gone on to something else. */
const WAIT_MS = 60_000;

/** Whether the answer of a write is on its way or was lost, so that the person may send it again. */
export const awaitsAnswer = (): boolean =>
  [...waiting.values()].some((at) => performance.now() - at < WAIT_MS);

/**
 * A write whose answer was lost may have been carried out. The same write again, such as another press of the button, has the
 * same key, so it happens once. A record that it deletes may be gone already.
 */
export function happensOnce(send: typeof fetch): typeof fetch {
  const unanswered = new Map<string, string | null>();
  return async (address, request = {}) => {
    const { body = "", method = "GET" } = request;
    if (method === "GET" || typeof body !== "string" || typeof address !== "string")
      return send(address, request);
    const headers = new Headers(request.headers);
    const write = `${method} ${address} ${body}`;
    const earlier = unanswered.get(write);
    if (earlier) headers.set("Idempotency-Key", earlier);
    unanswered.set(write, headers.get("Idempotency-Key"));
    waiting.set(write, performance.now());
    const response = await send(address, { ...request, headers });
    // The connection can end in the middle of the answer.
    await response.clone().text();
    if (isAnswer(response.status)) {
      unanswered.delete(write);
      waiting.delete(write);
    }
    const isGone = method === "DELETE" && response.status === 404 && earlier !== undefined;
    return isGone ? new Response(null, { status: 204 }) : response;
  };
}
