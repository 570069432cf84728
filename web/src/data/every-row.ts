/** Some rows by their ids, or all of a filter without those of the ids. */
export type Chosen = { isAll: boolean; ids: ReadonlySet<string> };

/** The service allows 300 requests in 20 seconds. This pace leaves some of them for the screen. */
const PAGE_MS = 80;
export const EVERY_PAGE = 100;

/** The chosen ones of the rows that pages of one hundred bring. */
export async function* everyRow<Row extends { id: string }>(
  rows: AsyncIterable<Row>,
  { isAll, ids }: Chosen,
  signal: AbortSignal,
): AsyncGenerator<Row, void, undefined> {
  let read = 0;
  let startedAt = performance.now();
  for await (const row of rows) {
    if (ids.has(row.id) !== isAll) yield row;
    read += 1;
    if (read % EVERY_PAGE > 0) continue;
    const rest = PAGE_MS - (performance.now() - startedAt);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    signal.throwIfAborted();
    startedAt = performance.now();
  }
}
