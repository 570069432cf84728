import type { MessageDescriptor } from "@lingui/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../app/failure.tsx";
import { type HistoryEntry, type HistoryOf, historyOptions, type Named } from "../data/history.ts";
import { cellRoles } from "../records/enums.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatDate, formatList, formatLocale, formatMoment, formatNumber } from "../ui/format.ts";
import { Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import styles from "./history.module.css";
import { causes, choices, kinds, members, REPEATED } from "./words.ts";

/** The record that the history is about: what its forms call its members, and how they show a value. */
export type Own = {
  type: "people" | "cells";
  labels: ReadonlyMap<string, ReactNode>;
  /** Nothing for a value that the forms do not show. */
  show: (member: string, value: unknown) => ReactNode;
};

type Names = ReadonlyMap<string, Named>;

/** The service writes this for a value that not every reader of the account may see. */
const REDACTED = "[redacted]";

/** Who changed a record, when and how, the newest first. */
export default function History({ of, own }: { of: HistoryOf; own: Own }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    historyOptions(of),
  );
  const pages = data?.pages ?? [];
  return (
    <div className={styles.lone}>
      <Card title={<Trans>Changes</Trans>}>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={160} />}
        {pages[0]?.items.length === 0 && (
          <span className={styles.quiet}>
            <Trans>No changes are recorded yet.</Trans>
          </span>
        )}
        <ol className={styles.entries}>
          {folded(
            pages.flatMap(({ items, names }) => items.map((entry) => ({ entry, names }))),
          ).map((one) => (
            <Entry key={one.entry.id} {...one} own={own} />
          ))}
        </ol>
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Card>
    </div>
  );
}

/** Records of one kind that one transaction added or deleted are one line with their number. */
function folded(entries: readonly { entry: HistoryEntry; names: Names }[]) {
  const sameAs = ({ action, actor, "occurred-at": at, "resource-type": type }: HistoryEntry) =>
    [action, actor?.id, at, type].join();
  const lines: { entry: HistoryEntry; names: Names; count: number }[] = [];
  for (const one of entries) {
    const last = lines.at(-1);
    const isAlike =
      last !== undefined &&
      sameAs(last.entry) === sameAs(one.entry) &&
      [last, one].every(({ entry, names }) => !names.has(entry["resource-id"])) &&
      [last, one].every(({ entry }) => Object.keys(entry.changes).length === 0);
    if (isAlike) last.count += 1;
    else lines.push({ ...one, count: 1 });
  }
  return lines;
}

function Entry({
  entry,
  names,
  count,
  own,
}: {
  entry: HistoryEntry;
  names: Names;
  count: number;
  own: Own;
}) {
  const { i18n } = useLingui();
  const isOwn = entry["resource-type"] === own.type;
  const changes = Object.entries(entry.changes).filter(
    ([member]) =>
      !((REPEATED[member] ?? "") in entry.changes) &&
      // The sentence says these.
      member !== "merged-ids" &&
      (member !== "cell-role" || !names.has(entry["resource-id"])),
  );
  const cause = causes[entry.cause];
  const client = <bdi>{entry.client}</bdi>;
  return (
    <li>
      <p>
        <Deed entry={entry} names={names} isOwn={isOwn} />
      </p>
      {(changes.length > 0 || entry.omitted.length > 0) && (
        <ul className={styles.changes}>
          {changes.map(([member, { from, to }]) => {
            const value = (one: unknown) => (
              <Value
                member={member}
                value={one}
                names={names}
                show={isOwn ? own.show : undefined}
              />
            );
            return (
              <li key={member}>
                <Change
                  label={<Label member={member} own={isOwn ? own : undefined} />}
                  from={isEmpty(from) ? undefined : value(from)}
                  to={isEmpty(to) ? undefined : value(to)}
                  isHidden={from === REDACTED || to === REDACTED}
                />
              </li>
            );
          })}
          {entry.omitted.map((member) => (
            <li key={member}>
              <Label member={member} own={isOwn ? own : undefined} />:{" "}
              <Trans>the values are too long to be kept</Trans>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.quiet}>
        <Time moment={entry["occurred-at"]} />
        {count > 1 && (
          <>
            {" · "}
            <Trans>{count} times</Trans>
          </>
        )}
        {entry.client ? (
          <>
            {" · "}
            <Trans>with {client}</Trans>
          </>
        ) : (
          cause && <> · {i18n._(cause)}</>
        )}
      </p>
    </li>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);

/** The sentence of an entry: the person, and what the person did. */
function Deed({ entry, names, isOwn }: { entry: HistoryEntry; names: Names; isOwn: boolean }) {
  const { i18n } = useLingui();
  const { action, changes, "resource-type": type, "resource-id": id } = entry;
  const actor = <Actor entry={entry} names={names} />;
  const subject = <Person id={entry["subject-person"]?.id} names={names} />;
  if (action === "logged-in") return <Trans>{subject} logged in</Trans>;
  if (action === "login-failed")
    return <Trans>A log-in of {subject} failed: the password was wrong</Trans>;
  if (action === "password-changed") return <Trans>{actor} set a new password</Trans>;
  if (action === "merged") {
    const merged = changes["merged-ids"]?.to;
    const count = Array.isArray(merged) ? merged.length : 1;
    return (
      <Trans>
        {actor} merged{" "}
        <Plural
          value={count}
          one="another record into this one"
          other="# other records into this one"
        />
      </Trans>
    );
  }
  const place = names.get(id);
  if (type === "cell-memberships" && place) {
    const cell = <NameLink named={place} />;
    const role = cellRoles[changes["cell-role"]?.to as keyof typeof cellRoles];
    if (role) {
      const word = i18n._(role).toLocaleLowerCase(formatLocale());
      return (
        <Trans>
          {actor} made {subject} {word} of {cell}
        </Trans>
      );
    }
    if (action === "created")
      return (
        <Trans>
          {actor} added {subject} to {cell}
        </Trans>
      );
    if (action === "permission-changed" && Object.keys(changes).length === 0)
      return (
        <Trans>
          {actor} added {subject} to the leaders of {cell}
        </Trans>
      );
  }
  const kind = isOwn ? (
    <Trans>this record</Trans>
  ) : (
    <>
      {kinds[type] ? i18n._(kinds[type]) : type}
      {place && (
        <>
          {" ("}
          <NameLink named={place} />)
        </>
      )}
    </>
  );
  if (action === "created")
    return (
      <Trans>
        {actor} added {kind}
      </Trans>
    );
  if (action === "deleted")
    return (
      <Trans>
        {actor} deleted {kind}
      </Trans>
    );
  // Rights that come or go with a record have no values.
  if (action === "permission-changed" && Object.keys(changes).length === 0)
    return (
      <Trans>
        {actor} changed rights: {kind}
      </Trans>
    );
  return (
    <Trans>
      {actor} changed {kind}
    </Trans>
  );
}

function Actor({ entry, names }: { entry: HistoryEntry; names: Names }) {
  if (entry.actor) return <Person id={entry.actor.id} names={names} />;
  return entry.cause === "form" ? <Trans>A visitor</Trans> : <Trans>The service</Trans>;
}

function Person({ id, names }: { id: string | undefined; names: Names }) {
  const named = id === undefined ? undefined : names.get(id);
  return named ? <NameLink named={named} /> : <Trans>A person who was deleted</Trans>;
}

function NameLink({ named: { type, id, name } }: { named: Named }) {
  const words = <bdi>{name}</bdi>;
  const params = { id };
  if (type === "people")
    return (
      <Link to="/people/$id" params={params}>
        {words}
      </Link>
    );
  if (type === "cells")
    return (
      <Link to="/cells/$id" params={params}>
        {words}
      </Link>
    );
  if (type === "households")
    return (
      <Link to="/households/$id" params={params}>
        {words}
      </Link>
    );
  return words;
}

function Label({ member, own }: { member: string; own: Own | undefined }) {
  const { i18n } = useLingui();
  const word: MessageDescriptor | undefined = members[member];
  return <b>{own?.labels.get(member) ?? (word ? i18n._(word) : member)}</b>;
}

function Change({
  label,
  from,
  to,
  isHidden,
}: {
  label: ReactNode;
  from: ReactNode;
  to: ReactNode;
  isHidden: boolean;
}) {
  if (isHidden) return <Trans>{label}: the value is not shown here</Trans>;
  if (from === undefined)
    return (
      <Trans>
        {label}: {to} added
      </Trans>
    );
  if (to === undefined)
    return (
      <Trans>
        {label}: {from} removed
      </Trans>
    );
  return (
    <Trans>
      {label} from {from} to {to}
    </Trans>
  );
}

/** A value of a change in words: as the forms of the record show it, as the name of a record, or as plain text. */
function Value({
  member,
  value,
  names,
  show,
}: {
  member: string;
  value: unknown;
  names: Names;
  show: Own["show"] | undefined;
}) {
  const { t, i18n } = useLingui();
  const ids = Array.isArray(value) ? value : [value];
  if (ids.some((id) => typeof id === "string" && names.has(id)))
    return ids.map((id, index) => {
      const named = names.get(String(id));
      return (
        <span key={index}>
          {index > 0 && ", "}
          {named ? <NameLink named={named} /> : <Trans>a record that was deleted</Trans>}
        </span>
      );
    });
  const choice = choices[member]?.[String(value)];
  if (choice) return i18n._(choice);
  const shown = typeof value === "object" ? undefined : show?.(member, value);
  return shown ?? <q>{plain(value, { yes: t`yes`, no: t`no` })}</q>;
}

function plain(value: unknown, words: { yes: string; no: string }): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") return formatNumber(value);
  if (Array.isArray(value)) return formatList(value.map((one) => plain(one, words)));
  if (typeof value === "object" && value !== null)
    return Object.values(value)
      .filter((one) => one !== null && typeof one !== "boolean")
      .map((one) => plain(one, words))
      .join(" · ");
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDate(text);
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? formatMoment(text) : text;
}
