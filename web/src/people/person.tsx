import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { VestryError } from "@vestry/sdk";
import { Failure } from "../app/failure.tsx";
import { useKeys } from "../app/key-bindings.ts";
import { useHolds } from "../app/may.ts";
import { useRecent } from "../app/recent.ts";
import { useSession } from "../app/session.tsx";
import { isAnythingUnsaved } from "../app/unsaved.ts";
import { notesAboutOptions } from "../data/notes.ts";
import { isGone } from "../data/query-client.ts";
import { personOptions, type PersonRecord } from "../data/person.ts";
import { membershipStatuses, membershipTones } from "../records/enums.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Chip } from "../ui/chip.tsx";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/states.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { AccessTab } from "./access-tab.tsx";
import { CoursesTab, GroupsTab, HistoryTab, useMayGroup } from "./person-tabs.tsx";
import { NotesCard } from "./notes-card.tsx";
import { Overview } from "./overview.tsx";
import { PersonActions } from "./person-actions.tsx";
import styles from "./person.module.css";

const route = getRouteApi("/frame/people/$id");

/** One person: the header with the actions of the thumb, and tabs. */
export function Person() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { data: person, error, refetch } = useQuery(personOptions(id));
  // A member opens the own record from the page about oneself, and may not open the list.
  const back: Back = useHolds("people:read")
    ? { to: "/people", label: t`Back to the people` }
    : { to: "/me", label: t`Back` };
  // A colleague can delete a record, or merge it into another one, while it is open.
  if (person && (!isGone(error) || isAnythingUnsaved()))
    return <Record person={person} back={back} />;
  const kept =
    error instanceof VestryError && error.code === "person-merged" && error.meta["merged-into"];
  if (typeof kept === "string") return <Navigate to="/people/$id" params={{ id: kept }} replace />;
  return (
    <Page title={<Trans>Person</Trans>} documentTitle={t`Person`} back={back}>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton height={64} />
          <Skeleton height={240} />
          <Skeleton height={240} />
        </>
      )}
    </Page>
  );
}

type Back = { to: "/people" | "/me"; label: string };

function Record({ person, back }: { person: PersonRecord; back: Back }) {
  const { t } = useLingui();
  const { tab, edit } = route.useSearch();
  const name = person["full-name"];
  const { account } = useSession();
  const groups = account.settings["cells-label"] ?? t`Groups`;
  useRecent("people", person.id, name);
  const readsNotes = useHolds("notes:read");
  const readsAudit = useHolds("audit-entries:read");
  const mayGroup = useMayGroup(person);
  // A closed tab reads nothing. Its count appears once the notes were read.
  const notes = useInfiniteQuery({
    ...notesAboutOptions(person.id),
    enabled: readsNotes && tab === "notes",
  });
  useKeys([{ keys: "e", label: t`Edit the first card`, run: editFirst }]);

  const tabs: Tab[] = [
    { id: "overview", label: t`Overview` },
    ...(person["cell-memberships"]?.length > 0 || mayGroup
      ? [{ id: "groups", label: groups }]
      : []),
    ...(person["course-enrollments"]?.length > 0 ? [{ id: "courses", label: t`Courses` }] : []),
    ...(readsNotes && !person["is-anonymized"]
      ? [{ id: "notes", label: t`Notes`, count: notes.data?.pages[0]?.total }]
      : []),
    ...(person["has-login"] === undefined ? [] : [{ id: "access", label: t`Access` }]),
    ...(person["deactivated-at"] !== undefined || readsAudit
      ? [{ id: "history", label: t`History` }]
      : []),
  ];
  const current = tabs.find((one) => one.id === tab)?.id ?? "overview";

  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={t`${name} · People`}
      back={back}
      face={<Avatar name={name} photo={person["photo-url"]} size={60} />}
      beside={<Standing person={person} />}
    >
      <PersonActions person={person} />
      <Tabs
        label={t`About ${name}`}
        tabs={tabs}
        current={current}
        to="/people/$id"
        params={{ id: person.id }}
      />
      {current === "overview" && <Overview key={person.id} person={person} edit={edit} />}
      {current === "groups" && <GroupsTab person={person} />}
      {current === "courses" && <CoursesTab person={person} />}
      {current === "notes" && (
        <div className={styles.lone}>
          <NotesCard about={{ id: person.id, $type: "people" }} />
        </div>
      )}
      {current === "access" && <AccessTab person={person} />}
      {current === "history" && <HistoryTab person={person} />}
    </Page>
  );
}

/** Status and age. Members and attenders are plain text, the others are chips. */
function Standing({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  const { account } = useSession();
  const status = person["membership-status"];
  const tone = status && membershipTones[status];
  const word =
    status && (account.settings["member-statuses"]?.[status] ?? i18n._(membershipStatuses[status]));
  const years = person.age;
  const called = <bdi>{person["preferred-name"]}</bdi>;
  // The other values of such a record say nothing.
  if (person["is-anonymized"])
    return (
      <span className={styles.standing}>
        <Chip>
          <Trans>Anonymized</Trans>
        </Chip>
      </span>
    );
  return (
    <span className={styles.standing}>
      {tone ? <Chip tone={tone}>{word}</Chip> : word}
      {typeof years === "number" && (
        <Chip>{t({ message: `${years} years`, comment: "The age of a person" })}</Chip>
      )}
      {person["is-active"] === false && (
        <Chip tone="warn">
          <Trans>Not active</Trans>
        </Chip>
      )}
      {person["preferred-name"] && person["preferred-name"] !== person["first-name"] && (
        <span>
          <Trans>called {called}</Trans>
        </span>
      )}
    </span>
  );
}

function editFirst(): void {
  const edit = document.querySelector<HTMLElement>("main [data-edit]");
  edit?.focus();
  edit?.click();
}
