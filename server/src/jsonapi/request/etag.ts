import { hash } from "node:crypto";
import { fail } from "../../base/errors.ts";
import type { Resource } from "../definition/resource.ts";

type Versions = Pick<Resource, "versionTag" | "unversioned">;

/**
 * `"<version>-<hash>"`: the version of the resource, which a change is guarded by, and a hash of the very bytes, which
 * a cache is guarded by. The first survives `include` and `fields`, the second changes with them.
 */
export function etagOf(of: Versions, version: number, body: string): string {
  if (of.versionTag !== undefined) return `"${of.versionTag}-${version}"`;
  const bytes = hash("sha1", body, "base64url").slice(0, 16);
  return of.unversioned ? `"${bytes}"` : `"${version}-${bytes}"`;
}

/** `If-None-Match`, compared weakly as it should be. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/** As HTTP has them. What is none is stale for ever, and whoever reads again to retry would go on until the end of days. */
const ENTITY_TAGS = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/;

/** What no resource has: the write fails as stale and not as malformed. */
const NO_VERSION = -1;

/**
 * The version that `If-Match` names: undefined when the header is absent or `*`. Where a version tag makes the header a
 * duty, undefined for all that is not exactly an ETag of the kind.
 */
export function expectedVersion({ versionTag }: Versions, header?: string): number | undefined {
  if (versionTag !== undefined) {
    const [, digits] = new RegExp(`^"${versionTag}-(\\d+)"$`).exec(header ?? "") ?? [];
    if (digits === undefined) return undefined;
    return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : NO_VERSION;
  }
  const given = header?.trim();
  if (given === undefined || given === "*") return undefined;
  if (!ENTITY_TAGS.test(given))
    throw fail("invalid-header", "`If-Match` takes the ETag that was read, with its quotes.", {
      header: "If-Match",
    });
  const match = /^"(\d{1,9})-[\w-]*"$/.exec(given);
  return match ? Number(match[1]) : NO_VERSION;
}

export const versionRequired = () =>
  fail("precondition-required", "This request needs `If-Match` with the ETag as it was read.", {
    header: "If-Match",
  });
