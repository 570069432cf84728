import { unescape } from "node:querystring";
import type { FastifyRequest } from "fastify";
import { undecodable } from "../jsonapi/request/query.ts";

/**
 * The router takes what is not percent-encoded UTF-8 for the text it is written as: who searches for José in Latin-1
 * (`%E9`) would be told that there is nobody. Such parameters are marked, and refused by whoever reads the query.
 */
export function markUndecodable(request: FastifyRequest): void {
  const { url } = request;
  if (!url.includes("%")) return;
  const text = url.slice(url.search(/[?#]|$/) + 1);
  if (isDecodable(text)) return;
  // A name may be anything that objects have by nature.
  const query: Record<string, unknown> = Object.assign(Object.create(null), request.query);
  for (const pair of text.split("&")) {
    if (isDecodable(pair)) continue;
    const [name = ""] = pair.replaceAll("+", " ").split("=", 1);
    delete query[name];
    query[unescape(name)] = undecodable;
  }
  request.query = query;
}

/** Characters that separate are ASCII, and so a whole is as good as its parts. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
