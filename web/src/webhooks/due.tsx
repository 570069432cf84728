import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { now } from "../ui/clock.ts";
import { formatMoment } from "../ui/format.ts";

/** When the next attempt follows, counted down. */
export function Due({ moment }: { moment: string }) {
  const [current, setCurrent] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setCurrent(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.round((Date.parse(moment) - current) / 1_000);
  const clock = formatMoment(moment, "time");
  if (seconds <= 0) return <Trans>The next attempt is due now.</Trans>;
  if (seconds >= 3_600) return <Trans>The next attempt follows at {clock}.</Trans>;
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return <Trans>The next attempt follows in {left}.</Trans>;
}
