import { useLingui } from "@lingui/react/macro";
import { holds } from "./may.ts";
import type { Opened } from "./opened.ts";
import { useSession } from "./session.tsx";

export type QuickKind = NonNullable<Extract<Opened, { name: "quick-add" }>["kind"]>;

/** What the caller may add from any page. */
export function useQuickKinds(): { kind: QuickKind; label: string }[] {
  const { t } = useLingui();
  const session = useSession();
  const mayAddPerson = holds(session, "people:write") || holds(session, "prospects:write");
  const kinds = [
    mayAddPerson && ({ kind: "person", label: t`Add person` } as const),
    holds(session, "notes:write") && ({ kind: "note", label: t`Add note` } as const),
    mayAddPerson &&
      session.leads.length > 0 &&
      ({ kind: "visitor", label: t`Add a visitor of my group` } as const),
  ];
  return kinds.filter((one) => one !== false);
}
