/**
 * Reads one HTTP/1.x answer from the bytes of a connection, as they come and however they are cut.
 *
 * Of our own, because what counts here no parser counts: every byte that is not body is head (interim answers, chunk
 * sizes and their extensions, trailers), and both have a limit that holds before anything is kept. It forgives nothing:
 * what two readers could read differently is a `protocol-error`, never a guess. Without clock or socket.
 */

export interface AnswerLimits {
  readonly headBytesMax: number;
  readonly bodyBytesMax: number;
}

export type AnswerDefect = {
  reason: "response-headers-too-large" | "response-body-too-large" | "protocol-error";
  detail: string;
};

/** What the bytes so far amount to. `torn`: the connection ended in the midst of it. */
export type Progress = "more" | "complete" | "torn" | AnswerDefect;

type State =
  | "status-line"
  | "header"
  | "sized-body"
  | "chunk-size"
  | "chunk-data"
  | "chunk-end"
  | "trailer"
  | "body-to-end"
  | "over";

const CR = 13;
const LF = 10;
const NOTHING = Buffer.alloc(0);

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const STATUS_LINE_BEGINS = "HTTP/1.";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^\d{1,15}$/;
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;|$)/;

export class AnswerReader {
  readonly #limits: AnswerLimits;
  readonly #keepBody: boolean;

  #state: State = "status-line";
  #defect: AnswerDefect | undefined;
  /** A line that has not ended yet. */
  #line: Buffer = NOTHING;
  #headBytes = 0;
  #bodyBytes = 0;
  /** Of the body, or of the chunk. */
  #bytesLeft = 0;
  #body: Buffer[] = [];

  #status: number | undefined;
  #interim = false;
  #oldVersion = false;
  #persistent = true;
  #surplus = false;
  #retryAfter: string | undefined;
  #length: string | undefined;
  #coding: string | undefined;
  #keepAliveSeconds: number | undefined;

  constructor(limits: AnswerLimits, keepBody = false) {
    this.#limits = limits;
    this.#keepBody = keepBody;
  }

  /** The final answer's, as soon as its headers have ended. */
  get status(): number | undefined {
    return this.#interim || this.#state === "status-line" || this.#state === "header"
      ? undefined
      : this.#status;
  }

  /** As it came. Two of them are joined, which makes no valid one. */
  get retryAfter(): string | undefined {
    return this.#retryAfter;
  }

  get body(): Buffer | undefined {
    return this.#keepBody ? Buffer.concat(this.#body) : undefined;
  }

  /** Whether the next answer on this connection would begin where this one ended. */
  get reusable(): boolean {
    return this.#state === "over" && !this.#defect && this.#persistent && !this.#surplus;
  }

  /** How long the receiver says that it keeps an idle connection. */
  get keepAliveSeconds(): number | undefined {
    return this.#keepAliveSeconds;
  }

  read(bytes: Buffer): Progress {
    let at = 0;
    while (!this.#defect && this.#state !== "over" && at < bytes.length)
      at =
        this.#state === "sized-body" ||
        this.#state === "chunk-data" ||
        this.#state === "body-to-end"
          ? this.#readBody(bytes, at)
          : this.#readLine(bytes, at);
    if (this.#defect) return this.#defect;
    if (this.#state !== "over") return "more";
    // What follows an answer nobody asked for: the next one could not be told from it.
    if (at < bytes.length) this.#surplus = true;
    return "complete";
  }

  /** The receiver has said that nothing more comes. */
  end(): Progress {
    if (this.#defect) return this.#defect;
    if (this.#state === "over") return "complete";
    if (this.#state !== "body-to-end") return "torn";
    this.#state = "over";
    return "complete";
  }

  #readBody(bytes: Buffer, from: number): number {
    const toEnd = this.#state === "body-to-end";
    const to = toEnd ? bytes.length : Math.min(bytes.length, from + this.#bytesLeft);
    this.#bodyBytes += to - from;
    // Declared lengths were judged when they were declared.
    if (toEnd && this.#bodyBytes > this.#limits.bodyBytesMax) this.#bodyTooLarge();
    else if (this.#keepBody) this.#body.push(bytes.subarray(from, to));
    if (!toEnd) {
      this.#bytesLeft -= to - from;
      if (this.#bytesLeft === 0) this.#state = this.#state === "sized-body" ? "over" : "chunk-end";
    }
    return to;
  }

  #readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(LF, from);
    const to = end < 0 ? bytes.length : end + 1;
    const part = bytes.subarray(from, to);
    const line = this.#line.length === 0 ? part : Buffer.concat([this.#line, part]);

    // Told from its first bytes, so that nobody waits for the end of a line that is none of HTTP/1.
    if (this.#state === "status-line") {
      const begins = line.toString("latin1", 0, STATUS_LINE_BEGINS.length);
      if (!STATUS_LINE_BEGINS.startsWith(begins)) {
        this.#fault("The answer does not begin with an HTTP/1.x status line.");
        return to;
      }
    }
    if (this.#headBytes + line.length > this.#limits.headBytesMax) {
      this.#defect = {
        reason: "response-headers-too-large",
        detail: `More than ${this.#limits.headBytesMax} bytes that are not body.`,
      };
      return to;
    }
    if (end < 0) {
      this.#line = line;
      return to;
    }
    this.#line = NOTHING;
    this.#headBytes += line.length;
    if (line.length < 2 || line[line.length - 2] !== CR) this.#fault("A line ends without CR.");
    else this.#lineEnded(line.subarray(0, -2));
    return to;
  }

  #lineEnded(line: Buffer): void {
    if (!isText(line)) return this.#fault("A line holds a control character.");
    const text = line.toString("latin1");
    switch (this.#state) {
      case "status-line":
        return this.#statusLine(text);
      case "header":
        return text === "" ? this.#headersEnded() : this.#header(text);
      case "chunk-size":
        return this.#chunkSize(text);
      case "chunk-end":
        if (text !== "") return this.#fault("A chunk is longer than its size.");
        this.#state = "chunk-size";
        return;
      case "trailer":
        if (text === "") this.#state = "over";
        else this.#nameAndValue(text);
        return;
      case "sized-body":
      case "chunk-data":
      case "body-to-end":
      case "over":
        return;
    }
  }

  #statusLine(text: string): void {
    const [, minor, status] = STATUS_LINE.exec(text) ?? [];
    if (status === undefined) return this.#fault("The status line is malformed.");
    this.#status = Number(status);
    // 101 is no interim answer: after it the connection speaks something else.
    this.#interim = this.#status >= 100 && this.#status < 200 && this.#status !== 101;
    this.#oldVersion = minor === "0";
    this.#persistent = !this.#oldVersion;
    this.#retryAfter = this.#length = this.#coding = this.#keepAliveSeconds = undefined;
    this.#state = "header";
  }

  #nameAndValue(text: string): [name: string, value: string] | undefined {
    const colon = text.indexOf(":");
    const name = text.slice(0, Math.max(0, colon));
    if (TOKEN.test(name)) return [name.toLowerCase(), trimmed(text, colon + 1)];
    this.#fault(
      text.startsWith(" ") || text.startsWith("\t")
        ? "A header is folded over several lines."
        : "A header has no valid name.",
    );
    return undefined;
  }

  #header(text: string): void {
    const [name, value] = this.#nameAndValue(text) ?? ["", ""];
    switch (name) {
      case "content-length":
        if (this.#length !== undefined) return this.#fault("Content-Length is there twice.");
        this.#length = value;
        return;
      case "transfer-encoding":
        if (this.#coding !== undefined) return this.#fault("Transfer-Encoding is there twice.");
        this.#coding = value.toLowerCase();
        return;
      case "connection":
        if (value.split(",").some((option) => option.trim().toLowerCase() === "close"))
          this.#persistent = false;
        return;
      case "keep-alive":
        this.#keepAliveSeconds = secondsIn(value);
        return;
      case "retry-after":
        this.#retryAfter = this.#retryAfter === undefined ? value : `${this.#retryAfter}, ${value}`;
        return;
    }
  }

  #headersEnded(): void {
    if (this.#coding !== undefined && this.#length !== undefined)
      return this.#fault("Content-Length and Transfer-Encoding contradict each other.");
    if (this.#coding !== undefined && (this.#coding !== "chunked" || this.#oldVersion))
      return this.#fault("The Transfer-Encoding is not one that was asked for.");
    if (this.#length !== undefined && !LENGTH.test(this.#length))
      return this.#fault("Content-Length is not a number.");

    if (this.#interim) {
      if (this.#coding !== undefined || (this.#length ?? "0") !== "0")
        return this.#fault("An interim answer announces a body.");
      this.#state = "status-line";
      return;
    }
    const status = this.#status ?? 0;
    if (status < 200 || status > 599) {
      // Whatever it says, it is refused; where it ends is nobody's to know.
      this.#persistent = false;
      this.#state = "over";
    } else if (status === 204 || status === 304) {
      if (this.#coding !== undefined || (this.#length ?? "0") !== "0") this.#persistent = false;
      this.#state = "over";
    } else if (this.#coding !== undefined) {
      this.#state = "chunk-size";
    } else if (this.#length === undefined) {
      this.#persistent = false;
      this.#state = "body-to-end";
    } else {
      this.#expect(Number(this.#length), "sized-body");
      if (this.#bytesLeft === 0) this.#state = "over";
    }
  }

  #chunkSize(text: string): void {
    const [, size] = CHUNK_SIZE.exec(text) ?? [];
    if (size === undefined) return this.#fault("A chunk's size is malformed.");
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) this.#state = "trailer";
    else this.#expect(bytes, "chunk-data");
  }

  #expect(bytes: number, state: State): void {
    this.#state = state;
    this.#bytesLeft = bytes;
    if (this.#bodyBytes + bytes > this.#limits.bodyBytesMax) this.#bodyTooLarge();
  }

  #bodyTooLarge(): void {
    this.#body = [];
    this.#defect = {
      reason: "response-body-too-large",
      detail: `More than ${this.#limits.bodyBytesMax} bytes of body.`,
    };
  }

  #fault(detail: string): void {
    this.#defect = { reason: "protocol-error", detail };
  }
}

/** Text of a line: neither NUL nor a stray CR nor another control character but the tab. */
function isText(line: Buffer): boolean {
  for (const byte of line) if ((byte < 32 && byte !== 9) || byte === 127) return false;
  return true;
}

/** By hand: a pattern would need the square of a line of blanks, and `trim` takes more than blanks and tabs. */
function trimmed(text: string, from: number): string {
  let to = text.length;
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return text.slice(from, to);
}

function secondsIn(keepAlive: string): number | undefined {
  const [, seconds] = /(?:^|,)[ \t]{0,8}timeout=(\d{1,6})\b/i.exec(keepAlive) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
