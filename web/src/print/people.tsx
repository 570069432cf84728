import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi, Link } from "@tanstack/react-router";
import { VestryError } from "@vestry/sdk";
import { Printer } from "lucide-react";
import { useEffect, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import type { Chosen } from "../data/every-row.ts";
import { listOf, type PrintSearch, readPeopleSearch } from "../data/people-filters.ts";
import { everyPerson, type PeopleFields, type PersonRow } from "../data/people-list.ts";
import {
  chooseColumns,
  DEFAULT_COLUMNS,
  fieldsOf,
  type PersonColumn,
  usePeopleColumns,
} from "../records/people-columns.tsx";
import { usePeopleFilterWords } from "../records/people-filter-words.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { accountTimeZone, formatDate, formatNumber, today } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Banner, EmptyState } from "../ui/states.tsx";
import { Ltr } from "../ui/text.tsx";
import styles from "./people.module.css";

const route = getRouteApi("/frame/print/people");

/** A page with more people makes browsers slow. */
const MOST = 5_000;

/** A roster with the columns of the list, or a directory by household. */
export function PrintPeople() {
  const { t } = useLingui();
  const search = route.useSearch();
  const { account, person } = useSession();
  const all = usePeopleColumns();
  const columns = chooseColumns(all, search.columns ? listOf(search.columns) : DEFAULT_COLUMNS);
  const isDirectory = search.layout === "directory";
  const fields = isDirectory ? DIRECTORY : fieldsOf(columns);
  const { people, isDone, isCut, error, retry } = useEveryPerson(search, fields);
  const filters = usePeopleFilterWords(readPeopleSearch(search)).map(({ words }) => words);
  const words = search.q === undefined ? filters : [`“${search.q}”`, ...filters];
  const day = formatDate(today(), "long");
  const printer = person["full-name"];
  const read = formatNumber(people.length);

  return (
    <Page
      title={isDirectory ? <Trans>Directory</Trans> : <Trans>People</Trans>}
      documentTitle={isDirectory ? t`Directory` : t`People`}
      above={<bdi>{account["church-name"]}</bdi>}
      beside={isDone && <Plural value={people.length} one="# person" other="# people" />}
      actions={
        <Button
          kind="filled"
          icon={<Printer size={17} />}
          busy={!isDone}
          onClick={() => window.print()}
        >
          <span>
            <Trans>Print</Trans>
          </span>
        </Button>
      }
    >
      <div className={styles.about}>
        {search.ids !== undefined ? (
          <p>
            <Trans>Selected people</Trans>
          </p>
        ) : (
          words.length > 0 && (
            <p>
              <bdi>{words.join(" · ")}</bdi>
            </p>
          )
        )}
        {search.except !== undefined && (
          <p>
            <Plural
              value={listOf(search.except).length}
              one="# person left out"
              other="# people left out"
            />
          </p>
        )}
        <p>
          <Trans>
            {day}, printed by <bdi>{printer}</bdi>
          </Trans>
        </p>
      </div>
      <nav className={styles.layouts} aria-label={t`Layout`}>
        <Link
          to="/print/people"
          search={{ ...search, layout: undefined }}
          aria-current={isDirectory ? undefined : "page"}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          <Trans>Roster</Trans>
        </Link>
        <Link
          to="/print/people"
          search={{ ...search, layout: "directory" }}
          aria-current={isDirectory ? "page" : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          <Trans>Directory by household</Trans>
        </Link>
      </nav>
      {isCut && (
        <Banner>
          <Trans>
            Only the first {read} people are here. Narrow the filter to print the others.
          </Trans>
        </Banner>
      )}
      {error ? (
        <Failure error={error} onRetry={retry} />
      ) : !isDone ? (
        <p role="status">
          <Trans>{read} people are read.</Trans>
        </p>
      ) : people.length === 0 ? (
        <EmptyState title={<Trans>Nobody matches</Trans>} />
      ) : isDirectory ? (
        <Directory people={people} />
      ) : (
        <Roster people={people} columns={columns} />
      )}
    </Page>
  );
}

/** Reads all pages of the address. A change of the address begins again. */
function useEveryPerson(search: PrintSearch, fields: PeopleFields) {
  const key = JSON.stringify([search, fields]);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{
    key: string;
    people: PersonRow[];
    isDone: boolean;
    isCut: boolean;
    error?: VestryError;
  }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const [question, shape] = JSON.parse(key) as [PrintSearch, PeopleFields];
    const now = { today: today(), timeZone: accountTimeZone() };
    const chosen: Chosen =
      question.ids === undefined
        ? { isAll: true, ids: new Set(listOf(question.except)) }
        : { isAll: false, ids: new Set(listOf(question.ids)) };
    const people: PersonRow[] = [];
    const tell = (more: { isDone: boolean; isCut: boolean; error?: VestryError }) => {
      if (!signal.aborted) setState({ key, people: [...people], ...more });
    };
    async function collect(): Promise<void> {
      for await (const person of everyPerson(question, shape, now, chosen, signal)) {
        if (people.length === MOST) return tell({ isDone: true, isCut: true });
        people.push(person);
        if (people.length % 100 === 0) tell({ isDone: false, isCut: false });
      }
      tell({ isDone: true, isCut: false });
    }
    collect().catch((error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof VestryError)) throw error;
      tell({ isDone: false, isCut: false, error });
    });
    return () => controller.abort();
  }, [key, attempt]);
  const current = state?.key === key ? state : { people: [], isDone: false, isCut: false };
  return {
    error: undefined,
    ...current,
    retry: () => {
      setState(undefined);
      setAttempt(attempt + 1);
    },
  };
}

function Roster({
  people,
  columns,
}: {
  people: readonly PersonRow[];
  columns: readonly PersonColumn[];
}) {
  const { t } = useLingui();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboards can only scroll what has the focus.
    <div className={styles.scroller} role="region" aria-label={t`Roster`} tabIndex={0}>
      <table className={styles.roster}>
        <thead>
          <tr>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              {columns.map(({ id, text }) => (
                <td key={id}>
                  <bdi dir={id === "phone" || id === "email" ? "ltr" : undefined}>
                    {text(person)}
                  </bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const DIRECTORY: PeopleFields = {
  people: ["full-name", "phones", "photo-url"],
  include: ["household"],
};

type Entry = { id: string; name: string; people: PersonRow[] };

/** Households by their names. A person without a household is an entry alone. */
function entriesOf(people: readonly PersonRow[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const person of people) {
    const { household } = person;
    const id = household?.id ?? person.id;
    const name = household?.name ?? person["full-name"];
    const entry: Entry = entries.get(id) ?? { id, name, people: [] };
    entry.people.push(person);
    entries.set(id, entry);
  }
  return [...entries.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function Directory({ people }: { people: readonly PersonRow[] }) {
  return (
    <div className={styles.directory}>
      {entriesOf(people).map(({ id, name, people: members }) => (
        <section key={id} className={styles.entry}>
          {members[0]?.household && (
            <h2>
              <bdi>{name}</bdi>
            </h2>
          )}
          {members.map((person) => (
            <div key={person.id} className={styles.member}>
              <Avatar name={person["full-name"]} photo={person["photo-url"]} size={44} isPrinted />
              <div className={styles.memberText}>
                <bdi>{person["full-name"]}</bdi>
                {person.phones?.map(({ number, display }) => (
                  <small key={number}>
                    <Ltr>{display ?? number}</Ltr>
                  </small>
                ))}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
