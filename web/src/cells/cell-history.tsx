import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import { lazy, type ReactNode, Suspense } from "react";
import { withTexts } from "../app/languages.ts";
import type { CellRecord } from "../data/cells.ts";
import { formatTime, formatWeekday } from "../ui/format.ts";
import { Skeleton } from "../ui/states.tsx";
import { frequencies } from "./words.ts";

const History = lazy(() => withTexts(() => import("../history/history.tsx"), "history", "records"));

/** The changes of a group. Its members and meetings have histories of their own. */
export function CellHistory({ cell }: { cell: CellRecord }) {
  const { t, i18n } = useLingui();
  const labels = new Map([
    ["name", t`Name`],
    ["weekday", t`Weekday`],
    ["starts-at", t`From`],
    ["ends-at", t`To`],
    ["frequency", t`How often`],
    ["address", t`Place`],
    ["is-online", t`Meets online`],
    ["online-url", t`Link of the meeting`],
    ["recess-from", t`Recess from`],
    ["recess-to", t`Recess to`],
    ["description", t`About`],
    ["closing-reason", t`Closed`],
    ["parent", t`Below`],
    ["is-public", t`Public`],
    ["public-settings", t`What the public sees`],
  ]);
  function show(member: string, value: unknown): ReactNode {
    if (member === "weekday") return formatWeekday(Number(value));
    if (member === "starts-at" || member === "ends-at") return formatTime(Number(value));
    const words: Readonly<Record<string, MessageDescriptor>> = frequencies;
    const word = member === "frequency" ? words[String(value)] : undefined;
    return word && i18n._(word);
  }
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <History of={{ "resource-id": cell.id }} own={{ type: "cells", labels, show }} />
    </Suspense>
  );
}
