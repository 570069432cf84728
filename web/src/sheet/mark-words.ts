import { useLingui } from "@lingui/react/macro";
import type { Mark } from "../data/meetings.ts";

/** The words of a mark. */
export function useMarkWords() {
  const { t } = useLingui();
  return (mark: Mark | undefined): string =>
    mark === "present"
      ? t`came`
      : mark === "online"
        ? t`online`
        : mark === "excused"
          ? t`excused`
          : t`missing`;
}
