import { hash } from "node:crypto";

/**
 * `"<version>-<hash>"`: the version of the resource, which a change is guarded by, and a hash of the very bytes, which
 * a cache is guarded by. The first survives `include` and `fields`, the second changes with them.
 */
export const etagOf = (version: number, body: string): string =>
  `"${version}-${hash("sha1", body, "base64url").slice(0, 16)}"`;

/** `If-None-Match`, compared weakly as it should be. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/**
 * The version that `If-Match` names: undefined when the header is absent or `*`, and a version that no resource has
 * when it names none, so that the write fails as stale and not as malformed.
 */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const match = /^"(\d{1,9})-[\w-]*"$/.exec(header.trim());
  return match ? Number(match[1]) : -1;
}
