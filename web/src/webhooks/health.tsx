import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { EndpointRecord } from "../data/webhooks.ts";
import { now } from "../ui/clock.ts";
import { Columns } from "../ui/columns.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { Segments } from "../ui/segments.tsx";
import { Tiles } from "../ui/tiles.tsx";
import { stepsOf } from "./rules.ts";
import styles from "./webhooks.module.css";

const route = getRouteApi("/frame/webhooks/$id");

const WINDOWS = { "24h": { span: 24, step: 1 }, "7d": { span: 168, step: 6 } } as const;
type Window = keyof typeof WINDOWS;

/** The numbers of a window and its chart. A column opens the deliveries of its time. */
export function Health({ endpoint, window }: { endpoint: EndpointRecord; window: Window }) {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [drawnAt] = useState(now);
  const metrics = endpoint.metrics[window];
  const rate = metrics["success-rate"];
  const p95 = metrics["latency-ms"].p95;
  const steps = stepsOf(endpoint.hours ?? [], { now: drawnAt, ...WINDOWS[window] });
  const iso = (at: number) => new Date(at).toISOString();
  return (
    <section className={styles.section} aria-label={t`Health`}>
      <div className={styles.bar}>
        <h2>
          <Trans>Health</Trans>
        </h2>
        <Segments<Window>
          label={t`Period`}
          value={window}
          options={[
            ["24h", t`24 hours`],
            ["7d", t`7 days`],
          ]}
          onChange={(next) =>
            void navigate({
              search: { ...search, window: next === "24h" ? undefined : next },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      <Tiles
        tiles={[
          [
            <Trans key="rate">delivered in the end</Trans>,
            rate === null || rate === undefined ? "–" : formatNumber(rate, { style: "percent" }),
          ],
          [<Trans key="attempts">attempts</Trans>, formatNumber(metrics.attempts)],
          [<Trans key="retries">retries</Trans>, formatNumber(metrics.retries)],
          [
            <Trans key="p95">95 % answer within</Trans>,
            p95 === null || p95 === undefined ? "–" : formatNumber(p95),
            p95 === null || p95 === undefined ? undefined : "ms",
          ],
        ]}
      >
        <Columns
          summary={t`${formatNumber(metrics.attempts)} attempts, ${formatNumber(metrics.failed)} deliveries failed`}
          unit={t`From`}
          asTable={<Trans>As a table</Trans>}
          parts={[
            [t`delivered`, "good"],
            [t`tried again`, "warn"],
            [t({ message: "failed", context: "deliveries" }), "bad"],
          ]}
          columns={steps.map(({ delivered, failed, from, retried, to }) => ({
            id: iso(from),
            label: formatMoment(iso(from), window === "24h" ? "time" : "full"),
            values: [delivered, retried, failed],
            link: {
              to: ".",
              search: { ...search, tab: undefined, from: iso(from), to: iso(to - 1) } as never,
            },
          }))}
        />
      </Tiles>
    </section>
  );
}
