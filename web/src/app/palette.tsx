import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ClipboardCheck, CornerDownRight, Plus, Search, UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  I18nProvider,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  TextField,
} from "react-aria-components";
import { foundCellsOptions, foundPeopleOptions } from "../data/search.ts";
import { Avatar } from "../ui/avatar.tsx";
import { formatLocale, formatNumber } from "../ui/format.ts";
import { contains } from "../ui/names.ts";
import { detailsOf } from "./found-people.ts";
import { holds } from "./may.ts";
import { useSections } from "./menu.tsx";
import { closeOver, openOver } from "./opened.ts";
import { pageActions } from "./page-actions.ts";
import styles from "./palette.module.css";
import { takeWaited } from "./palette-wait.tsx";
import { useQuickKinds } from "./quick-kinds.ts";
import { recentRecords } from "./recent.ts";
import { useSession } from "./session.tsx";

type Item = {
  id: string;
  label: string;
  detail?: string | undefined;
  icon: ReactNode;
  run: () => void;
};
type Group = { id: string; title: string; items: Item[] };

const PAUSE_MS = 150;

/** Finds records, pages and actions. Without text it offers what was opened last and what this page can do. */
export default function Palette() {
  const { t } = useLingui();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const waited = takeWaited();
    if (!waited) return;
    // oxlint-disable-next-line react/set-state-in-effect -- Letters can arrive until the plain input goes, which is now.
    setText(waited.text);
    input.current?.focus();
    const { opener } = waited;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const groups = useGroups(text.trim());
  return (
    <I18nProvider locale={formatLocale()}>
      <ModalOverlay
        isOpen
        isDismissable
        onOpenChange={(isOpen) => !isOpen && closeOver()}
        className={styles.backdrop ?? ""}
      >
        <Modal className={styles.modal ?? ""}>
          <Dialog aria-label={t`Find anything`} className={styles.dialog ?? ""}>
            <Autocomplete inputValue={text} onInputChange={setText}>
              <TextField aria-label={t`Find anything`} autoFocus className={styles.search ?? ""}>
                <Search size={18} />
                <Input
                  ref={input}
                  placeholder={t`Name, group or action`}
                  className={styles.input ?? ""}
                  enterKeyHint="go"
                />
                <button type="button" className={styles.close} onClick={closeOver}>
                  <Trans>Close</Trans>
                </button>
              </TextField>
              <Menu
                aria-label={t`Found`}
                className={styles.list ?? ""}
                items={groups}
                renderEmptyState={() => (
                  <p className={styles.none}>
                    {text.trim().length < 2 ? (
                      <Trans>Type at least two letters.</Trans>
                    ) : (
                      <Trans>Nothing found</Trans>
                    )}
                  </p>
                )}
              >
                {(group) => (
                  <MenuSection id={group.id}>
                    <Header className={styles.title ?? ""}>{group.title}</Header>
                    <Collection items={group.items}>
                      {(item) => (
                        <MenuItem
                          id={item.id}
                          textValue={item.label}
                          className={styles.item ?? ""}
                          onAction={() => {
                            closeOver();
                            item.run();
                          }}
                        >
                          {item.icon}
                          <bdi className={styles.label}>{item.label}</bdi>
                          {item.detail && <span className={styles.detail}>{item.detail}</span>}
                        </MenuItem>
                      )}
                    </Collection>
                  </MenuSection>
                )}
              </Menu>
            </Autocomplete>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}

function useGroups(text: string): Group[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const session = useSession();
  const pages = usePages();
  const [onThisPage] = useState(pageActions);
  const kinds = useQuickKinds();
  const settled = useSettled(text);
  const isSearch = text.length >= 2 && settled.length >= 2;
  const people = useQuery({
    ...foundPeopleOptions(settled),
    enabled: isSearch && holds(session, "people:read"),
  });
  const cells = useQuery({ ...foundCellsOptions(settled), enabled: isSearch });

  const person = (
    id: string,
    name: string,
    photo?: string | null,
    detail?: string | null,
  ): Item => ({
    id: `people/${id}`,
    label: name,
    detail: detail ?? undefined,
    icon: <Avatar name={name} photo={photo} size={24} />,
    run: () => void navigate({ to: "/people/$id", params: { id } }),
  });
  const cell = (id: string, name: string, detail?: string | null): Item => ({
    id: `cells/${id}`,
    label: name,
    detail: detail ?? undefined,
    icon: <UsersRound size={18} />,
    run: () => void navigate({ to: "/cells/$id", params: { id } }),
  });

  const actions: Item[] = [
    ...onThisPage.map(({ id, label, run }) => ({
      id: `action/${id}`,
      label,
      icon: <CornerDownRight size={18} />,
      run,
    })),
    ...kinds.map(({ kind, label }) => ({
      id: `add/${kind}`,
      label,
      icon: <Plus size={18} />,
      run: () => openOver({ name: "quick-add", kind }),
    })),
    ...session.leads.map(({ id, name }) => ({
      id: `report/${id}`,
      label: t`Report ${name}`,
      icon: <ClipboardCheck size={18} />,
      run: () => void navigate({ to: "/report", search: { cell: id } }),
    })),
  ];
  // The list has the others.
  const withAll = (
    items: Item[],
    { total, ...all }: { total: number } & Omit<Item, "icon">,
  ): Item[] => (total > items.length ? [...items, { ...all, icon: <Search size={18} /> }] : items);
  const { items: peopleItems = [], total: peopleTotal = 0 } = people.data ?? {};
  const count = formatNumber(peopleTotal);
  const details = detailsOf(peopleItems, (age) =>
    t({ message: `${age} years`, comment: "The age of a person" }),
  );
  const foundPeople = withAll(
    peopleItems.map((one, at) => person(one.id, one["full-name"], one["photo-url"], details[at])),
    {
      id: "people/all",
      label: t`Show all ${count}`,
      total: peopleTotal,
      run: () => void navigate({ to: "/people", search: { q: settled, active: "all" } }),
    },
  );
  const { items: cellItems = [], total: cellTotal = 0 } = cells.data ?? {};
  const foundCells = withAll(
    cellItems.map((one) => cell(one.id, one.name, one.category)),
    {
      id: "cells/all",
      // The list leaves out closed groups, which the palette finds.
      label: t`Show all`,
      total: cellTotal,
      run: () => void navigate({ to: "/cells", search: { q: settled } }),
    },
  );
  const cellsLabel = session.account.settings["cells-label"] ?? t`Groups`;

  const groups: Group[] =
    text === ""
      ? [
          {
            id: "recent",
            title: t`Opened last`,
            items: recentRecords().map(({ type, id, name }) =>
              type === "people" ? person(id, name) : cell(id, name),
            ),
          },
          { id: "actions", title: t`Actions`, items: actions },
        ]
      : [
          { id: "people", title: t`People`, items: isSearch ? foundPeople : [] },
          { id: "cells", title: cellsLabel, items: isSearch ? foundCells : [] },
          {
            id: "pages",
            title: t`Pages and actions`,
            items: [...pages, ...actions].filter(({ label }) => contains(label, text)),
          },
        ];
  return groups.filter(({ items }) => items.length > 0);
}

function usePages(): Item[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const session = useSession();
  const sections = useSections();
  const pages = sections.map(
    ({ link, label, icon }): Item => ({
      id: `page${link.to}`,
      label,
      icon,
      run: () => void navigate(link),
    }),
  );
  const icon = <CornerDownRight size={18} />;
  if (holds(session, "notes:read"))
    pages.push({
      id: "page/notes",
      label: t`Follow-ups`,
      icon,
      run: () => void navigate({ to: "/notes" }),
    });
  if (
    ["form-submissions:write", "cell-join-requests:approve", "course-enrollments:write"].some(
      (permission) => holds(session, permission),
    )
  )
    pages.push({
      id: "page/inbox",
      label: t`From the public`,
      icon,
      run: () => void navigate({ to: "/inbox" }),
    });
  if (holds(session, "forms:read") && sections.every(({ link }) => link.to !== "/forms"))
    pages.push({
      id: "page/forms",
      label: t`Forms`,
      icon,
      run: () => void navigate({ to: "/forms" }),
    });
  if (holds(session, "forms:write"))
    pages.push({
      id: "page/new-form",
      label: t`New form`,
      icon,
      run: () => void navigate({ to: "/forms/new" }),
    });
  pages.push(
    { id: "page/me", label: t`Me`, icon, run: () => void navigate({ to: "/me" }) },
    { id: "page/keys", label: t`Keys`, icon, run: () => openOver({ name: "keys" }) },
  );
  return pages;
}

/** The text once no key was pressed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
