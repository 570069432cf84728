import { useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { VestryError } from "@vestry/sdk";
import { type Kept, keepRecord, markStale } from "../data/cache.ts";
import { toast } from "../ui/toasts.tsx";

/**
 * Says what was done, with Undo for some seconds. `takeBack` writes the opposite under the version that the first write returned. If the
 * record has changed since, nothing is written and the toast says so.
 */
export function useUndo() {
  const { t } = useLingui();
  const client = useQueryClient();
  return (message: string, touches: readonly string[], takeBack: () => Promise<Kept | void>) =>
    toast(message, () => {
      takeBack().then(
        (record) => {
          if (record) keepRecord(client, record);
          markStale(client, touches);
          toast(t`Taken back`);
        },
        (error: unknown) =>
          toast(
            error instanceof VestryError && ["stale-version", "conflict"].includes(error.code)
              ? t`Not taken back: a colleague has changed this in the meantime.`
              : t`Not taken back: the service did not accept it.`,
          ),
      );
    });
}
