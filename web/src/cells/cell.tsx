import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import {
  Archive,
  ArchiveRestore,
  ClipboardCheck,
  Ellipsis,
  FolderInput,
  Printer,
  Split,
} from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { holds, ledAlone } from "../app/may.ts";
import { usePageActions } from "../app/page-actions.ts";
import { Failure } from "../app/failure.tsx";
import { useRecent } from "../app/recent.ts";
import { useSession } from "../app/session.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import {
  cellOptions,
  type CellRecord,
  membersOptions,
  reopenCell,
  requestsOptions,
} from "../data/cells.ts";
import { isGone } from "../data/query-client.ts";
import { waitingReportsOptions } from "../data/reports.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { LinkButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatTime, formatWeekday, today } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { type MenuEntry, MenuButton } from "../ui/popover.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { About } from "./about.tsx";
import { CellHistory } from "./cell-history.tsx";
import { Meetings } from "./meetings.tsx";
import { Members } from "./members.tsx";
import { Requests } from "./requests.tsx";
import { rightsOf } from "./rights.ts";
import { cellStatuses } from "./words.ts";

const CloseCell = lazy(() =>
  import("./close-cell.tsx").then((late) => ({ default: late.CloseCell })),
);
const MoveCell = lazy(() => import("./move-cell.tsx").then((late) => ({ default: late.MoveCell })));

const route = getRouteApi("/frame/cells/$id");

/** A group: its members, meetings and requests, and what it is. */
export function Cell() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const session = useSession();
  const query = useQuery(cellOptions(id));
  const cell = query.data;
  const label = session.account.settings["cells-label"] ?? t`Groups`;
  const back = ledAlone(session) ? undefined : ({ to: "/cells", label } as const);
  if (cell && !isGone(query.error)) return <CellPage cell={cell} back={back} label={label} />;
  return (
    <Page title={label} documentTitle={label} back={back}>
      {query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  );
}

function CellPage({
  cell,
  back,
  label,
}: {
  cell: CellRecord;
  back: { to: "/cells"; label: string } | undefined;
  label: string;
}) {
  const { t, i18n } = useLingui();
  const { tab = "members" } = route.useSearch();
  const navigate = useNavigate();
  const session = useSession();
  const { may } = rightsOf(cell);
  const [dialog, setDialog] = useState<"close" | "move">();
  const { id, name, status, weekday } = cell;
  const isClosed = status === "closed";
  useRecent("cells", id, name);

  // Public groups of others are seen in the reduced view.
  const isFull = cell["members-count"] !== undefined;
  const seesMembers = isFull && holds(session, "cell-memberships:read");
  const seesMeetings = isFull && holds(session, "cell-meetings:read");
  const decides = isFull && holds(session, "cell-join-requests:approve");
  const members = useQuery({ ...membersOptions(id), enabled: seesMembers });
  const requests = useQuery({ ...requestsOptions(id), enabled: decides });
  const waiting = useQuery({ ...waitingReportsOptions, enabled: seesMeetings });
  const due = waiting.data?.items.find((meeting) => meeting.cell.id === id);
  const reports = may("report") === true && cell["cell-type"] !== "supervision";

  const reopen = useWrite((_: undefined, { idempotencyKey }) => reopenCell(id, idempotencyKey), {
    touches: ["cells", "cell-meetings"],
  });

  const closing = may("close");
  const entries: (MenuEntry | false)[] = [
    may("multiply") === true &&
      !isClosed && {
        id: "multiply",
        label: t`Multiply`,
        icon: <Split size={16} />,
        onSelect: () => void navigate({ to: "/cells/$id/multiply", params: { id } }),
      },
    seesMembers && {
      id: "print",
      label: t`Print a sign-in sheet`,
      icon: <Printer size={16} />,
      onSelect: () => void navigate({ to: "/print/cells/$id", params: { id } }),
    },
    cell.$meta?.may?.update?.includes("parent") === true && {
      id: "move",
      label: t`Move to …`,
      icon: <FolderInput size={16} />,
      onSelect: () => setDialog("move"),
    },
    isClosed
      ? may("reopen") === true && {
          id: "reopen",
          label: t`Reopen`,
          icon: <ArchiveRestore size={16} />,
          onSelect: () => reopen.mutate({ values: undefined, intent: newIntent() }),
        }
      : closing !== false && {
          id: "close",
          label: t({ message: "Close", context: "group" }),
          icon: <Archive size={16} />,
          isDanger: true,
          ...(closing === "cell-has-children" && { reason: t`It has groups below it.` }),
          onSelect: () => setDialog("close"),
        },
  ];
  const menu = entries.filter((entry) => entry !== false);
  usePageActions(
    menu.flatMap((entry) =>
      entry.onSelect && entry.reason === undefined
        ? [{ id: entry.id, label: entry.label, run: entry.onSelect }]
        : [],
    ),
  );

  const leaders = cell.leaders?.map((one) => one["full-name"]) ?? [];
  const when = weekday !== null ? formatWeekday(weekday) : undefined;
  const startsAt = cell["starts-at"];
  const details = [
    ...leaders,
    when && (startsAt !== null ? t`${when}, ${formatTime(startsAt)}` : when),
    cell.parent && "name" in cell.parent ? cell.parent.name : undefined,
  ].filter((detail) => detail !== undefined && detail !== "");

  const tabs = [
    seesMembers && { id: "members", label: t`Members`, count: members.data?.length },
    seesMeetings && { id: "meetings", label: t`Meetings` },
    decides && { id: "requests", label: t`Requests`, count: requests.data?.length },
    { id: "about", label: t`About` },
    isFull && holds(session, "audit-entries:read") && { id: "history", label: t`History` },
  ].filter((one) => one !== false);
  const current = tabs.some((one) => one.id === tab) ? tab : (tabs[0]?.id ?? "about");

  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={`${name} · ${label}`}
      back={back}
      isLarge
      beside={status !== "active" && <Chip>{i18n._(cellStatuses[status])}</Chip>}
      beneath={details.map((detail, index) => (
        <span key={index}>
          {index > 0 && " · "}
          <bdi>{detail}</bdi>
        </span>
      ))}
      actions={
        <>
          {reports && !isClosed && (
            <LinkButton
              kind="filled"
              icon={<ClipboardCheck size={18} />}
              to="/cells/$id/meetings/$meeting"
              params={{ id, meeting: due?.id ?? "new" }}
              search={due ? {} : { date: today() }}
            >
              <span>
                <Trans context="button">Report</Trans>
              </span>
            </LinkButton>
          )}
          {menu.length > 0 && (
            <MenuButton
              trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
              entries={menu}
            />
          )}
        </>
      }
    >
      <FailureBanner error={reopen.error} />
      <Tabs label={name} tabs={tabs} current={current} to="/cells/$id" params={{ id }} />
      {current === "members" && <Members cell={cell} query={members} />}
      {current === "meetings" && <Meetings cell={cell} mayReport={reports} />}
      {current === "requests" && <Requests query={requests} />}
      {current === "about" && <About cell={cell} />}
      {current === "history" && <CellHistory cell={cell} />}
      <Suspense>
        {dialog === "close" && (
          <CloseCell
            cell={cell}
            members={members.data?.length}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === "move" && <MoveCell cell={cell} onClose={() => setDialog(undefined)} />}
      </Suspense>
    </Page>
  );
}
