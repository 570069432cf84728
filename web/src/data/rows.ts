import {
  hashKey,
  type QueryKey,
  type UseQueryOptions,
  useQueries,
  useQueryClient,
} from "@tanstack/react-query";
import type { VestryError } from "@vestry/sdk";
import { useCallback, useEffect, useState } from "react";

export const PAGE_SIZE = 100;

export type RowsPage<Row> = { items: Row[]; total: number };

/** One question to the service. `params` are its filter, sort and fields, and `page` reads one hundred of its rows. */
export type RowsQuestion<Row> = {
  params: QueryKey;
  page: (number: number) => UseQueryOptions<RowsPage<Row>, VestryError, RowsPage<Row>, QueryKey>;
};

/** A fast scroll passes many pages. Only those that stay in view this long are read. */
const SETTLE_MS = 50;

const pageOf = (index: number) => Math.floor(index / PAGE_SIZE) + 1;

/** The rows of a question, of which only the visible hundreds are read. */
export function useRows<Row>(question: RowsQuestion<Row>) {
  const client = useQueryClient();
  const key = hashKey(question.params);
  const [view, setView] = useState({ key, first: 1, last: 1 });
  const [wish, setWish] = useState(view);
  const { first, last } = view.key === key ? view : { first: 1, last: 1 };
  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, offset) => question.page(first + offset)),
  });

  useEffect(() => {
    const timer = setTimeout(() => setView(wish), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wish]);

  const newest = results
    .filter(({ data }) => data !== undefined)
    .reduce<(typeof results)[number] | undefined>(
      (best, one) => (best && best.dataUpdatedAt >= one.dataUpdatedAt ? best : one),
      undefined,
    );
  const [known, setKnown] = useState<{ key: string; question: RowsQuestion<Row>; total: number }>();
  if (newest?.data && (known?.key !== key || known.total !== newest.data.total))
    setKnown({ key, question, total: newest.data.total });

  const shown = known?.question ?? question;
  const failed = results.find(({ error }) => error !== null);
  return {
    /** Another question has another key. */
    key,
    /** The number of all rows. Undefined until the first page has arrived. */
    total: known?.total,
    /** The rows answer the previous question, while the next answer is on its way. */
    isOld: known !== undefined && known.key !== key,
    at: (index: number): Row | undefined =>
      client.getQueryData<RowsPage<Row>>(shown.page(pageOf(index)).queryKey)?.items[
        index % PAGE_SIZE
      ],
    /** All rows of a range, which are read if they are not known. */
    between: async (from: number, to: number): Promise<Row[]> => {
      const rows: Row[] = [];
      for (let page = pageOf(from); page <= pageOf(to); page += 1) {
        const { items } = await client.fetchQuery(shown.page(page));
        const start = (page - 1) * PAGE_SIZE;
        rows.push(...items.slice(Math.max(0, from - start), to - start + 1));
      }
      return rows;
    },
    /** Names the visible rows, so that their pages are read. */
    show: useCallback(
      (from: number, to: number) =>
        setWish((old) =>
          old.key === key && old.first === pageOf(from) && old.last === pageOf(to)
            ? old
            : { key, first: pageOf(from), last: pageOf(to) },
        ),
      [key],
    ),
    error: failed?.error ?? null,
    /** When the oldest of the visible pages was read. */
    readAt: Math.min(...results.flatMap(({ dataUpdatedAt }) => dataUpdatedAt || [])),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}
