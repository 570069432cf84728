import { useLingui } from "@lingui/react/macro";
import type { SignedSort } from "../data/people-filters.ts";

/** The orders that people can have, in words. */
export function useSorts(): (readonly [SignedSort, string])[] {
  const { t } = useLingui();
  return [
    ["full-name", t`Name`],
    ["-created-at", t`Newest first`],
    ["-modified-at", t`Changed last`],
    ["membership-status", t`Status`],
    ["-last-attended-at", t`Attended last`],
    ["birth-month-day", t`Birthday`],
    ["-birthdate", t`Youngest first`],
    ["birthdate", t`Oldest first`],
  ];
}
