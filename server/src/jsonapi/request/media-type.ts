import { fail } from "../../base/errors.ts";

export const MEDIA_TYPE = "application/vnd.api+json";

/** The serializer of answers that are text. Without it, Fastify adds a `charset`, which JSON:API does not allow. */
export const serializeText = (body: unknown): string => body as string;

/** Rejects bodies other than JSON:API without parameters, or JSON if the route accepts it. No `ext` is supported. */
export function assertContentType(header: string | undefined, plainToo = false): void {
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

/** Rejects an `Accept` header that lists JSON:API only with unsupported parameters. */
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
