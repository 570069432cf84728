import { useLingui } from "@lingui/react/macro";
import {
  Bookmark,
  BookmarkX,
  Columns3,
  Download,
  Printer,
  Rows3,
  SquareCheckBig,
} from "lucide-react";
import type { PeopleSearch } from "../data/people-filters.ts";
import { useIsPhone } from "../ui/media.ts";
import type { MenuEntry } from "../ui/popover.tsx";
import { openList, type SavedLists } from "./lists.tsx";

/** The entries of the menu above the list. A phone has no other place for some of them. */
export function usePeopleMenu({
  search,
  isInPages,
  saved,
  onCsv,
  onPrint,
  onSelecting,
  onColumns,
  onSave,
  onSwitchPages,
}: {
  search: PeopleSearch;
  isInPages: boolean;
  saved: SavedLists;
  onCsv: () => void;
  onPrint: () => void;
  onSelecting: () => void;
  onColumns: () => void;
  onSave: () => void;
  onSwitchPages: () => void;
}): MenuEntry[] {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const open = openList(saved.lists, search);
  const ofPhone: MenuEntry[] = [
    {
      id: "select",
      label: t`Select`,
      icon: <SquareCheckBig size={16} />,
      onSelect: onSelecting,
    },
    { id: "columns", label: t`Columns`, icon: <Columns3 size={16} />, onSelect: onColumns },
  ];
  return [
    { id: "csv", label: t`CSV file`, icon: <Download size={16} />, onSelect: onCsv },
    { id: "print", label: t`Print`, icon: <Printer size={16} />, onSelect: onPrint },
    ...(isPhone ? ofPhone : []),
    open === undefined
      ? {
          id: "save",
          label: t`Save as list`,
          icon: <Bookmark size={16} />,
          ...(saved.isFull && { reason: t`You have 50 lists.` }),
          onSelect: onSave,
        }
      : {
          id: "remove",
          label: t`Remove this list`,
          icon: <BookmarkX size={16} />,
          onSelect: () => saved.remove(open.name),
        },
    {
      id: "view",
      label: isInPages ? t`One long list` : t`Pages of 100`,
      icon: <Rows3 size={16} />,
      onSelect: onSwitchPages,
    },
  ];
}
