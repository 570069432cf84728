import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import {
  CircleUser,
  Ellipsis,
  FileText,
  House,
  LogOut,
  Search,
  User,
  Users,
  UsersRound,
  Webhook,
} from "lucide-react";
import type { Bootstrap } from "@vestry/sdk";
import type { ReactNode } from "react";
import { waitingReportsOptions } from "../data/reports.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Count } from "../ui/chip.tsx";
import { firstLetter } from "../ui/names.ts";
import { MenuButton } from "../ui/popover.tsx";
import { VisuallyHidden } from "../ui/text.tsx";
import { useFirstContent } from "./first-content.ts";
import { holds, isFullAdministrator, ledAlone } from "./may.ts";
import { openOver } from "./opened.ts";
import { useSession } from "./session.tsx";
import styles from "./shell.module.css";

export const isMac = /^(Mac|iP)/.test(navigator.platform);

const openPalette = () => openOver({ name: "palette" });
const ON_PHONES = 3;

/** The church, the search, the sections by rights, and the person. On phones it is a bar at the bottom. */
export function Menu() {
  const { t } = useLingui();
  const session = useSession();
  const { account } = session;
  const navigate = useNavigate();
  const sections = useSections();
  // On phones, the bar has five entries, and the last one opens the others.
  const others = sections.slice(ON_PHONES);
  const shortcut = isMac ? "⌘ K" : "Ctrl K";
  return (
    <header className={styles.menu}>
      <Link to="/" className={styles.church} title={account["church-name"]}>
        {account["logo-url"] ? (
          <img src={account["logo-url"]} alt="" width={30} height={30} />
        ) : (
          <span className={styles.letter} aria-hidden="true">
            {firstLetter(account["church-name"])}
          </span>
        )}
        <bdi>{account["church-name"]}</bdi>
      </Link>
      <button
        type="button"
        className={styles.find}
        onClick={openPalette}
        aria-keyshortcuts="Control+K"
      >
        <Search size={16} />
        <span>
          <Trans>Find anything</Trans>
        </span>
        <kbd>{shortcut}</kbd>
      </button>
      <nav className={styles.entries} aria-label={t`Main`}>
        {sections.map(({ link, label, icon, badge }, at) => (
          <Link
            key={link.to}
            {...link}
            className={`${styles.entry} ${at < ON_PHONES ? "" : styles.onDesktops}`}
            activeOptions={{ exact: link.to === "/" }}
            activeProps={{ "aria-current": "page" }}
            title={label}
          >
            {icon}
            <span className={styles.entryLabel}>{label}</span>
            {badge}
          </Link>
        ))}
        <button
          type="button"
          className={`${styles.entry} ${styles.onPhones}`}
          onClick={openPalette}
        >
          <Search size={20} />
          <span className={styles.entryLabel}>
            <Trans>Find</Trans>
          </span>
        </button>
        {others.length === 0 ? (
          <Link
            to="/me"
            className={`${styles.entry} ${styles.onPhones}`}
            activeProps={{ "aria-current": "page" }}
          >
            <CircleUser size={20} />
            <span className={styles.entryLabel}>
              <Trans>Me</Trans>
            </span>
          </Link>
        ) : (
          <div className={`${styles.more} ${styles.onPhones}`}>
            <MenuButton
              trigger={{
                label: t`More pages`,
                kind: "bare",
                children: (
                  <>
                    <Ellipsis size={20} />
                    <span className={styles.entryLabel}>
                      <Trans>More</Trans>
                    </span>
                  </>
                ),
              }}
              entries={[
                ...others.map(({ link, label, icon }) => ({
                  id: link.to,
                  label,
                  icon,
                  onSelect: () => void navigate(link),
                })),
                {
                  id: "/me",
                  label: t`Me`,
                  icon: <CircleUser size={20} />,
                  onSelect: () => void navigate({ to: "/me" }),
                },
              ]}
            />
          </div>
        )}
      </nav>
      <PersonMenu />
    </header>
  );
}

function PersonMenu() {
  const { t } = useLingui();
  const { person } = useSession();
  const navigate = useNavigate();
  const task = useTask();
  return (
    <div className={styles.person}>
      <MenuButton
        trigger={{
          label: person["full-name"],
          kind: "bare",
          children: (
            <>
              <Avatar name={person["full-name"]} photo={person["photo-url"]} />
              <span className={styles.personText}>
                <bdi>{person["full-name"]}</bdi>
                {task && <small>{task}</small>}
              </span>
            </>
          ),
        }}
        entries={[
          {
            id: "me",
            label: t`Me`,
            icon: <User size={16} />,
            onSelect: () => void navigate({ to: "/me" }),
          },
          {
            id: "log-out",
            label: t`Log out`,
            icon: <LogOut size={16} />,
            onSelect: () => openOver({ name: "log-out" }),
          },
        ]}
      />
    </div>
  );
}

/** The second line under the name of the person. */
function useTask(): string | undefined {
  const { t } = useLingui();
  const session = useSession();
  const { person, leads, teaches } = session;
  if (isFullAdministrator(session)) return t`full administrator`;
  if (person["administrative-status"] === "administrator") return t`administrator`;
  return leads[0]?.name ?? teaches[0]?.name;
}

type Section = {
  link: ReturnType<typeof sectionLinks>[number];
  /** Follows `g` on the keyboard. */
  key: string;
  label: string;
  icon: ReactNode;
  badge?: ReactNode;
};

const sectionLinks = ({ leads: [led] }: Pick<Bootstrap, "leads">) =>
  [
    linkOptions({ to: "/" }),
    linkOptions({ to: "/people" }),
    linkOptions({ to: "/cells" }),
    linkOptions({ to: "/cells/$id", params: { id: led?.id ?? "" } }),
    linkOptions({ to: "/forms" }),
    linkOptions({ to: "/webhooks" }),
  ] as const;

/** The sections that the caller may open, with the word of the church for its groups. */
export function useSections(): Section[] {
  const { t } = useLingui();
  const session = useSession();
  const [home, people, cells, myCell, forms, webhooks] = sectionLinks(session);
  const homeSection = { link: home, key: "h", label: t`Home`, icon: <House size={20} /> };
  const peopleSection = holds(session, "people:read") && {
    link: people,
    key: "p",
    label: t`People`,
    icon: <Users size={20} />,
  };
  const icon = <UsersRound size={20} />;
  const cellsLabel = session.account.settings["cells-label"] ?? t`Groups`;
  const badge = holds(session, "cell-meetings:read") && <OverdueReports />;
  const groups = { link: cells, key: "g", label: cellsLabel, icon, badge };
  const formsSection = holds(session, "forms:read") && {
    link: forms,
    key: "f",
    label: t`Forms`,
    icon: <FileText size={20} />,
  };
  const webhooksSection = isFullAdministrator(session) && {
    link: webhooks,
    key: "w",
    label: t`Webhooks`,
    icon: <Webhook size={20} />,
  };
  // The leader of one group finds the forms of the group in the palette.
  const sections = ledAlone(session)
    ? [homeSection, { ...groups, link: myCell, label: t`My group` }, peopleSection]
    : [homeSection, peopleSection, groups, formsSection, webhooksSection];
  return sections.filter((section) => section !== false);
}

function OverdueReports() {
  const { data: waiting } = useQuery({ ...waitingReportsOptions, enabled: useFirstContent() });
  const overdue =
    waiting?.items.filter((meeting) => meeting["report-status"] === "overdue").length ?? 0;
  if (overdue === 0) return null;
  return (
    <span data-badge>
      <Count value={overdue} tone="warn" />
      <VisuallyHidden>
        <Trans>overdue reports</Trans>
      </VisuallyHidden>
    </span>
  );
}
