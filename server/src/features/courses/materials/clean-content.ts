import { Worker } from "node:worker_threads";
import { invalid } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { turns } from "../../../base/turns.ts";
import type { ResourceInput } from "../../../jsonapi/definition/resource.ts";

const pointer = "/data/attributes/content";

/** Cleans the content of a document before the transaction. */
export async function cleanContent(input: ResourceInput): Promise<ResourceInput> {
  const { attributes } = input;
  const content = attributes.get("content");
  // Without these characters there is neither HTML nor a link.
  if (typeof content !== "string" || !/[<\]]/.test(content)) return input;
  const cleaned = await inTurn(() => cleanInThread(content));
  if (cleaned === undefined)
    throw invalid(pointer, "The Markdown is nested too deeply, or takes too long to read.");
  if (cleaned.length > limits.materialContentLengthMax)
    throw invalid(pointer, "The content is too long without the HTML and links it may not have.");
  return { ...input, attributes: new Map([...attributes, ["content", cleaned]]) };
}

const inTurn = turns({
  atOnce: limits.contentChecksAtOnce,
  queueMax: limits.contentCheckQueueMax,
  busy: "The service is reading too much Markdown just now.",
});

/**
 * Returns undefined if the thread exceeds its time, its memory or its stack. Some Markdown takes minutes to parse, and only
 * a thread can be stopped meanwhile.
 */
export function cleanInThread(
  markdown: string,
  msMax: number = limits.contentCheckMsMax,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const worker = new Worker(new URL("./clean-markdown-thread.ts", import.meta.url), {
    workerData: markdown,
    resourceLimits: { maxOldGenerationSizeMb: limits.contentCheckHeapMiBMax },
  });
  const timer = setTimeout(() => void worker.terminate(), msMax);
  worker.on("message", resolve);
  // A listener is needed even though the exit follows, because an error without one ends the process.
  worker.on("error", () => {});
  worker.on("exit", () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  return promise;
}
