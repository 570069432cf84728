import { hasBriefLink } from "../../src/jsonapi/definition/members.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { type Answer, etag } from "../support/service.ts";

/**
 * A text that is the same for two responses as long as the resource did not change between them. It is the ETag. A link that
 * works for minutes changes the ETag every second. For a type with such links, the text is the version and the document
 * without the time and the signature of the links.
 */
export function unchanged(resource: Resource, answer: Answer): string {
  if (!hasBriefLink(resource)) return etag(answer);
  const [version] = etag(answer).split("-");
  const document = answer.text
    .replaceAll(/\?expires=\d+&signature=[\w-]+/g, "")
    .replaceAll(/"url-expires-at":"[^"]+"/g, "");
  return `${version} ${document}`;
}
