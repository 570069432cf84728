/** Many listeners of the feed in a process of their own. They parse no more than they measure. */
import { connect, type Socket } from "node:net";
import { answerBench } from "./child.ts";

/** Opens the streams, or asks what arrived since the last question. */
export type ListenersQuestion = { port: number; requests: readonly string[] } | "heard";

export interface Heard {
  /** From the change to its arrival, in milliseconds, ascending. */
  lags: Float64Array;
  /** The streams that have ended. */
  ended: number;
}

const OCCURRED_AT = /"occurred-at":"([^"]+)"/g;

let lags: number[] = [];
let ended = 0;

/** Resolves with the first bytes of the answer. */
async function open(port: number, request: string): Promise<void> {
  const socket: Socket = connect(port, "127.0.0.1");
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  let rest = "";
  socket.on("data", (chunk: Buffer) => {
    resolve();
    const text = rest + chunk.toString("latin1");
    const end = text.lastIndexOf("\n\n") + 1;
    rest = text.slice(end);
    for (const [, moment = ""] of text.slice(0, end).matchAll(OCCURRED_AT))
      lags.push(Date.now() - Date.parse(moment));
  });
  socket.on("error", reject);
  socket.on("close", () => (ended += 1));
  socket.write(request, "latin1");
  return promise;
}

answerBench<ListenersQuestion>(async (question) => {
  if (question === "heard") {
    const heard: Heard = { lags: Float64Array.from(lags).sort(), ended };
    lags = [];
    return heard;
  }
  return Promise.all(question.requests.map((request) => open(question.port, request)));
});
