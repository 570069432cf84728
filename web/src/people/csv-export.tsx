import { Trans, useLingui } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ReadWords } from "../app/failure.tsx";
import { onConnection } from "../data/connection.ts";
import type { Now, PeopleSearch } from "../data/people-filters.ts";
import { type Chosen, everyPerson, type PeopleFields } from "../data/people-list.ts";
import type { PersonColumn } from "../records/people-columns.tsx";
import { Button } from "../ui/button.tsx";
import { formatLocale, formatNumber } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";
import { csvOf, separatorOf } from "./csv.ts";
import styles from "./list.module.css";

export type CsvOrder = {
  search: PeopleSearch;
  columns: readonly PersonColumn[];
  fields: PeopleFields;
  now: Now;
  chosen: Chosen;
  /** The expected number of people. */
  count: number;
};

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save when the click returns, and reads the file a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Reads every page of the order and saves the file. It shows the progress, and ends when it leaves the page. */
export default function CsvExport({ order, onEnd }: { order: CsvOrder; onEnd: () => void }) {
  const { t } = useLingui();
  const [read, setRead] = useState(0);
  const [error, setError] = useState<VestryError>();
  const [attempt, setAttempt] = useState(0);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });

  const title = t`People`;
  useEffect(() => {
    const controller = new AbortController();
    const { search, columns, fields, now, chosen } = order;
    const { signal } = controller;
    async function collect(): Promise<void> {
      const rows = [columns.map(({ header }) => header)];
      for await (const person of everyPerson(search, fields, now, chosen, signal)) {
        if (rows.length % 100 === 0) setRead(rows.length);
        rows.push(columns.map(({ text }) => text(person)));
      }
      if (signal.aborted) return;
      save(csvOf(rows, separatorOf(formatLocale())), `${title} ${now.today}.csv`);
      end.current();
    }
    collect().catch((failure: unknown) => {
      if (signal.aborted) return;
      if (!(failure instanceof VestryError)) throw failure;
      setError(failure);
    });
    return () => controller.abort();
  }, [order, attempt, title]);

  function again() {
    setError(undefined);
    setRead(0);
    setAttempt((count) => count + 1);
  }
  const repeat = useEffectEvent(again);
  useEffect(() => (error?.status === 0 ? onConnection(repeat) : undefined), [error]);

  const done = formatNumber(read);
  const all = formatNumber(order.count);
  if (error)
    return (
      <Banner
        tone="bad"
        action={
          <>
            <Button kind="quiet" onClick={again}>
              <Trans>Try again</Trans>
            </Button>
            <Button kind="quiet" onClick={onEnd}>
              <Trans>Cancel</Trans>
            </Button>
          </>
        }
      >
        <ReadWords error={error} onRetry={again} />
      </Banner>
    );
  return (
    <div className={styles.progress}>
      <progress aria-label={t`CSV file`} max={order.count} value={read} />
      <span>
        <Trans>
          CSV file: {done} of {all} people
        </Trans>
      </span>
      <Button kind="quiet" onClick={onEnd}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  );
}
