import { ID, layoutOf } from "../definition/layout.ts";
import type { Resource } from "../definition/resource.ts";
import type { Row } from "../definition/rows.ts";
import { encodeCursor } from "../request/cursors.ts";
import type { ListQuery } from "../request/list-query.ts";
import type { DocumentParts } from "./document.ts";

/** The total and the links of a page. */
export function pageParts(
  resource: Resource,
  query: ListQuery,
  url: string,
  { more, rows, total }: { rows: readonly Row[]; total: number; more: boolean },
): Pick<DocumentParts, "meta" | "links"> {
  const link = pageLinks(url, query.linkParameters);
  const { page } = query;
  if (page.kind === "after") {
    const last = rows.at(-1);
    const [key] = query.sort;
    const value = last?.[layoutOf(resource).width] as string | null;
    const next =
      more && last && key ? encodeCursor(key, { value, id: String(last[ID]) }) : undefined;
    const after = page.after && key ? encodeCursor(key, page.after) : "";
    const { size } = page;
    return {
      meta: { total, size },
      links: {
        self: link({ after, size }),
        first: link({ after: "", size }),
        next: next === undefined ? null : link({ after: next, size }),
      },
    };
  }
  return numberedParts(link, page, total);
}

type PageLink = (page: Record<string, string | number>) => string;

export const pageLinks =
  (url: string, linkParameters: ListQuery["linkParameters"]): PageLink =>
  (page) => {
    const parameters = new URLSearchParams([
      ...linkParameters.map(([name, value]) => [name, value]),
      ...Object.entries(page).map(([name, value]) => [`page[${name}]`, String(value)]),
    ] as [string, string][]);
    return `${url}?${parameters.toString()}`;
  };

export function numberedParts(
  link: PageLink,
  { number, size }: { number: number; size: number },
  total: number,
): Pick<DocumentParts, "meta" | "links"> {
  const lastPage = Math.max(1, Math.ceil(total / size));
  return {
    meta: { total, page: number, size },
    links: {
      self: link({ number, size }),
      first: link({ number: 1, size }),
      prev: number > 1 ? link({ number: Math.min(number - 1, lastPage), size }) : null,
      next: number < lastPage ? link({ number: number + 1, size }) : null,
      last: link({ number: lastPage, size }),
    },
  };
}
