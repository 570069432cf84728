import { hash } from "node:crypto";
import { fail } from "../../base/errors.ts";
import type { Resource } from "../definition/resource.ts";

type Versions = Pick<Resource, "versionTag" | "unversioned">;

/**
 * `"<version>-<hash>"`. `If-Match` compares the version of the resource, which does not depend on `include` and `fields`.
 * `If-None-Match` also compares the hash of the document.
 */
export function etagOf(of: Versions, version: number, body: string): string {
  if (of.versionTag !== undefined) return versionEtag(of, version);
  const bytes = hash("sha1", body, "base64url").slice(0, 16);
  return of.unversioned ? `"${bytes}"` : `"${version}-${bytes}"`;
}

/** The ETag of a resource within a document, for `If-Match`. It names the version alone, so writing a list hashes nothing. */
export const versionEtag = ({ versionTag }: Versions, version: number): string =>
  `"${versionTag === undefined ? "" : `${versionTag}-`}${version}"`;

/** RFC 9110 requires the weak comparison for `If-None-Match`. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/** The grammar of HTTP. A malformed tag reported as stale would make clients retry for ever. */
const ENTITY_TAGS = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/;

/** No resource has this version, so the write fails as stale. */
const NO_VERSION = -1;

/**
 * Returns the version in `If-Match`, or undefined if the header is absent or `*`. For types with a version tag, any value
 * that is not such an ETag counts as absent.
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
    throw fail(
      "invalid-header",
      "`If-Match` must be the ETag of the resource, including its quotes.",
      {
        header: "If-Match",
      },
    );
  const match = /^"(\d{1,9})(?:-[\w-]*)?"$/.exec(given);
  return match ? Number(match[1]) : NO_VERSION;
}

export const versionRequired = () =>
  fail("precondition-required", "This request requires `If-Match` with the ETag of the resource.", {
    header: "If-Match",
  });
