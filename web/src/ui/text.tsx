import { useLingui } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";
import { now } from "./clock.ts";
import { accountTimeZone, formatMoment, formatRelative } from "./format.ts";

/** Numbers, addresses and codes keep their direction in right-to-left text. */
export const Ltr = ({ children }: { children: ReactNode }) => (
  <span dir="ltr" className="ltr">
    {children}
  </span>
);

export const VisuallyHidden = ({ children }: { children: ReactNode }) => (
  <span className="visually-hidden">{children}</span>
);

/** A moment: relative up to a day, with the full time and zone as its title. */
export function Time({ moment }: { moment: string }) {
  const { t } = useLingui();
  const [drawnAt] = useState(now);
  const full = formatMoment(moment);
  const zone = accountTimeZone();
  const isForeign = zone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isRecent = Math.abs(drawnAt - Date.parse(moment)) < 86_400_000;
  return (
    <time dateTime={moment} title={isForeign ? t`${full}, ${zone}` : full}>
      {isRecent ? formatRelative(moment, drawnAt) : full}
    </time>
  );
}
