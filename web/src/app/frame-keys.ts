import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useKeyboard, useKeys } from "./key-bindings.ts";
import { useSections } from "./menu.tsx";
import { openOver } from "./opened.ts";
import { useQuickKinds } from "./quick-kinds.ts";

/** `/` goes to the search of the page, which is the first input of the type `search`. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (search) search.select();
  else openOver({ name: "palette" });
}

/** The keys that work on every page. */
export function useFrameKeys(): void {
  const { t } = useLingui();
  const navigate = useNavigate();
  const sections = useSections();
  const kinds = useQuickKinds();
  useKeyboard();
  useKeys([
    { keys: "/", label: t`Search this page`, run: focusSearch },
    ...(kinds.length > 0
      ? [{ keys: "c", label: t`Add`, run: () => openOver({ name: "quick-add" }) }]
      : []),
    ...sections.map(({ link, label, key }) => ({
      keys: `g ${key}`,
      label,
      run: () => void navigate(link),
    })),
    { keys: "?", label: t`Show the keys`, run: () => openOver({ name: "keys" }) },
  ]);
}
