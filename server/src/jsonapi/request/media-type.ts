import { fail } from "../../base/errors.ts";

export const MEDIA_TYPE = "application/vnd.api+json";

/** For answers that are text already. Without it the framework adds a `charset`, which JSON:API does not allow. */
export const asItIs = (body: unknown): string => body as string;

/** 415 unless the body is JSON:API without parameters, or JSON where that is taken too. We know no `ext`. */
export function checkContentType(header: string | undefined, plainToo = false): void {
  const { type, parameters } = parse(header ?? "");
  if (plainToo && type === "application/json") return;
  if (type !== MEDIA_TYPE)
    throw unsupported(`The body must be ${plainToo ? "application/json or " : ""}${MEDIA_TYPE}.`);
  const foreign = parameters.find((name) => name !== "profile");
  if (foreign !== undefined)
    throw unsupported(`${MEDIA_TYPE} must not carry the parameter ${foreign}.`);
}

const unsupported = (detail: string) =>
  fail("unsupported-media-type", detail, { header: "Content-Type" });

/** 406 when `Accept` asks for JSON:API, but only with parameters that mean nothing to us. */
export function checkAccept(header: string | undefined): void {
  if (header === undefined || !header.includes(MEDIA_TYPE)) return;
  const offers = header.split(",").map(parse);
  const plain = offers.some(
    ({ type, parameters }) =>
      type === "*/*" ||
      type === "application/*" ||
      type === "application/json" ||
      (type === MEDIA_TYPE && parameters.every((name) => name === "q" || name === "profile")),
  );
  if (!plain)
    throw fail("not-acceptable", `${MEDIA_TYPE} is served without parameters.`, {
      header: "Accept",
    });
}

function parse(value: string): { type: string; parameters: string[] } {
  const [type = "", ...rest] = value.split(";");
  return {
    type: type.trim().toLowerCase(),
    parameters: rest.map((part) => (part.split("=")[0] ?? "").trim().toLowerCase()).filter(Boolean),
  };
}
