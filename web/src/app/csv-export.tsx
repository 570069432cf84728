import { Trans, useLingui } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { onConnection } from "../data/connection.ts";
import { Button } from "../ui/button.tsx";
import { csvOf, separatorOf } from "../ui/csv.ts";
import { formatLocale, formatNumber, today } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";
import styles from "./csv-export.module.css";
import { ReadWords } from "./failure.tsx";

export type CsvOrder = {
  /** The first words of the name of the file. The day follows. */
  title: string;
  header: readonly string[];
  rows: (signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** The expected number of rows. */
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

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function collect(): Promise<void> {
      const rows = [order.header];
      for await (const row of order.rows(signal)) {
        if (rows.length % 100 === 0) setRead(rows.length);
        rows.push(row);
      }
      if (signal.aborted) return;
      save(csvOf(rows, separatorOf(formatLocale())), `${order.title} ${today()}.csv`);
      end.current();
    }
    collect().catch((failure: unknown) => {
      if (signal.aborted) return;
      if (!(failure instanceof VestryError)) throw failure;
      setError(failure);
    });
    return () => controller.abort();
  }, [order, attempt]);

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
          CSV file: {done} of {all}
        </Trans>
      </span>
      <Button kind="quiet" onClick={onEnd}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  );
}
