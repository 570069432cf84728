import type { FastifyInstance } from "fastify";
import { fail } from "../../base/errors.ts";

export const METHODS: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  fail("method-not-allowed", `${method} is not one of ${allowed.join(", ")}.`);

/**
 * Existing paths answer OPTIONS with `Allow`, and unsupported methods with 405 and `Allow`.
 *
 * Routes for these rare requests would outnumber all others and use memory. Instead, the paths are searched when no route
 * matches.
 */
export function answerOtherMethods(app: FastifyInstance): void {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    paths.set(url, path);
  });
  // The body does not matter, so this runs before it is read.
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const asked = decoded(request.url.split("?", 1)[0] ?? "");
    const found = [...paths].filter(([, { pattern }]) => pattern.test(asked));
    if (found.length === 0) return;
    request.otherwiseAt = found[0]?.[0];
    const allowed = [...new Set(found.flatMap(([, { methods }]) => [...methods])), "OPTIONS"];
    reply.header("Allow", allowed.join(", "));
    if (request.method === "OPTIONS") return reply.code(204).send();
    throw methodNotAllowed(request.method, allowed);
  });
}

/** Matches like the router: a parameter is one segment. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split("/")
      .map((segment) => (segment.startsWith(":") ? "[^/]+" : RegExp.escape(segment)))
      .join("/")}$`,
  );

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    /** The pattern of the path, if it has routes only for other methods. */
    otherwiseAt?: string | undefined;
  }
}
