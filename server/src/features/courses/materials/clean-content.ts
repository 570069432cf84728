import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { invalid, notAllowedHere } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { turns } from "../../../base/turns.ts";
import type {} from "../../../jsonapi/definition/resource.ts";

const pointer = "/data/attributes/content";

/** Cleans the content of a document before the transaction. */
export async function cleanContent<Input extends { attributes: { content?: string | null } }>(
  input: Input,
): Promise<Input> {
  const { attributes } = input;
  const { content } = attributes;
  // Without these characters there is neither HTML nor a link.
  if (!content || !/[<\]]/.test(content)) return input;
  const cleaned = await inTurn(() => cleanInProcess(content));
  if (cleaned === undefined)
    throw invalid(
      pointer,
      notAllowedHere("The Markdown is nested too deeply, or takes too long to read."),
    );
  if (cleaned.length > limits.materialContentLengthMax)
    throw invalid(pointer, {
      rule: "max-length",
      limit: limits.materialContentLengthMax,
      hint: "The content counts without the HTML and links it may not have.",
    });
  return { ...input, attributes: { ...attributes, content: cleaned } };
}

const inTurn = turns({
  atOnce: limits.contentChecksAtOnce,
  queueMax: limits.contentCheckQueueMax,
  busy: "The service is reading too much Markdown just now.",
});

const program = fileURLToPath(new URL("./clean-markdown-process.ts", import.meta.url));

/**
 * Returns undefined if the process exceeds its time, its memory or its stack. Some Markdown takes minutes or gigabytes to
 * parse. A thread that runs out of memory would end the service.
 */
export function cleanInProcess(
  markdown: string,
  {
    msMax = limits.contentCheckMsMax,
    heapMiBMax = limits.contentCheckHeapMiBMax,
  }: { msMax?: number; heapMiBMax?: number } = {},
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = execFile(
    process.execPath,
    [`--max-old-space-size=${heapMiBMax}`, program],
    { env: {}, timeout: msMax, killSignal: "SIGKILL", maxBuffer: limits.contentCheckBytesMax },
    (error, stdout) => resolve(error ? undefined : stdout),
  );
  // The process can end before it has read everything. Its end is the answer.
  child.stdin?.on("error", () => {});
  child.stdin?.end(markdown);
  return promise;
}
