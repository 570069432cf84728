import { useLingui } from "@lingui/react/macro";
import { useSession } from "../app/session.tsx";

/** What the church calls its groups. */
export function useCellWords(): { one: string; many: string } {
  const { t } = useLingui();
  const { settings } = useSession().account;
  return { one: settings["cell-label"] ?? t`Group`, many: settings["cells-label"] ?? t`Groups` };
}
