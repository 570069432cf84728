import { unescape } from "node:querystring";
import type { FastifyRequest } from "fastify";
import { undecodable } from "../../jsonapi/request/query-reader.ts";

/**
 * Marks parameters that are not percent-encoded UTF-8, which the query parser rejects. The router keeps them as they are
 * written, so a search for José in Latin-1 (`%E9`) would find nothing.
 */
export function markUndecodable(request: FastifyRequest): void {
  const { url } = request;
  if (!url.includes("%")) return;
  const text = url.slice(url.search(/[?#]|$/) + 1);
  if (isDecodable(text)) return;
  // Names such as `__proto__` need an object without a prototype.
  const query: Record<string, unknown> = Object.assign(Object.create(null), request.query);
  for (const pair of text.split("&")) {
    if (isDecodable(pair)) continue;
    const [name = ""] = pair.replaceAll("+", " ").split("=", 1);
    delete query[name];
    query[unescape(name)] = undecodable;
  }
  request.query = query;
}

/** Separators are ASCII, so the query can be checked as a whole. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
