import type { ErrorCode, Rule } from "./types.ts";

/** One error of a response, as JSON:API describes it. */
export interface Problem {
  id?: string;
  status: string;
  code: ErrorCode | (string & {});
  title?: string;
  detail: string;
  /** `type` is the address of the documentation of the code. */
  links?: { type?: string };
  source?: { pointer?: string; parameter?: string; header?: string };
  meta?: Record<string, unknown>;
}

/** The rule that a value breaks, for words in the language of a reader. Many codes have none. */
export const ruleOf = ({ meta }: Pick<Problem, "meta">): Rule | undefined =>
  typeof meta?.["rule"] === "string" ? (meta as unknown as Rule) : undefined;

/** The service rejected a request. The members are those of the first error. `errors` has all of them. */
export class VestryError extends Error {
  override readonly name: string = "VestryError";
  readonly status: number;
  readonly code: Problem["code"] | "unreachable";
  readonly detail: string;
  /** The place in the document: `/data/attributes/email`. */
  readonly pointer: string | undefined;
  /** The name in the query: `filter[tag]`. */
  readonly parameter: string | undefined;
  readonly meta: Record<string, unknown>;
  readonly errors: readonly Problem[];
  readonly requestId: string | undefined;
  /** The seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    errors: readonly Problem[],
    { requestId, retryAfter }: { requestId?: string | undefined; retryAfter?: number | undefined },
    options?: ErrorOptions,
  ) {
    const [first] = errors;
    super(errors.map(({ code, detail }) => `${code}: ${detail}`).join(" "), options);
    this.status = status;
    this.code = first?.code ?? "internal-error";
    this.detail = first?.detail ?? "";
    this.pointer = first?.source?.pointer;
    this.parameter = first?.source?.parameter;
    this.meta = first?.meta ?? {};
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The request got no answer. The service may have carried it out nevertheless. */
export class Unreachable extends VestryError {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super(
      0,
      [{ status: "0", code: "unreachable", detail: "The service could not be reached." }],
      {},
      { cause },
    );
  }
}

/** The error of a response. A proxy in front of the service answers without a document. */
export function errorOf(status: number, headers: Headers, body: unknown): VestryError {
  const { errors } = (typeof body === "object" && body !== null ? body : {}) as {
    errors?: Problem[];
  };
  const problems: Problem[] =
    Array.isArray(errors) && errors.length > 0
      ? errors
      : [{ status: String(status), code: `http-${status}`, detail: `HTTP status ${status}.` }];
  const meta = problems[0]?.meta?.["request-id"];
  return new VestryError(status, problems, {
    requestId: headers.get("x-request-id") ?? (typeof meta === "string" ? meta : undefined),
    retryAfter: secondsOf(headers.get("retry-after")),
  });
}

/** Seconds, or a date as proxies send it. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
