import { useLingui } from "@lingui/react/macro";
import type { PersonMembershipStatus } from "@vestry/sdk";
import { holds, holdsEverywhere } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import {
  agesOf,
  listOf,
  MEMBERSHIP_STATUSES,
  MISSING,
  type NamedFilter,
  type PeopleFilterName,
  type PeopleQuestion,
  type PeopleSearch,
  type SignedSort,
} from "../data/people-filters.ts";
import { useCellWords } from "../records/cell-words.ts";
import { customFields } from "../records/custom-fields.ts";
import { missingNames, sexes } from "../records/enums.ts";
import { useMembershipWords } from "../records/membership-status.tsx";
import type { FilterWords } from "../records/people-filter-words.ts";
import { CheckField, Group, SelectField, TextField } from "../ui/field.tsx";
import { type FilterGroup, FilterGroups } from "../ui/filter-groups.tsx";
import { formatMonth } from "../ui/format.ts";
import { NamedFilterField } from "./named-filter.tsx";
import { useSorts } from "./sorts.ts";
import styles from "./list.module.css";

/** Filters by other attributes than those of the reduced view find nothing without this permission. */
const DETAILS = "person-details:read";

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

/**
 * All filters of people, first those that staff use most, and the sort on phones. `set` changes search parameters of the
 * address.
 */
export default function FilterPanel({
  search,
  set,
  words,
  sort,
}: {
  search: PeopleSearch;
  set: (changes: PeopleSearch) => void;
  words: FilterWords[];
  sort: SignedSort | undefined;
}) {
  const { t, i18n } = useLingui();
  const { one: cellWord } = useCellWords();
  const statusWords = useMembershipWords();
  const session = useSession();
  const definitions = session.account["custom-properties"].people;
  const valueOf = (ids: readonly string[]) =>
    words.flatMap(({ name, value }) => (ids.includes(name) ? value : [])).join(" · ") || undefined;

  const checks = <Value extends string>(
    name: PeopleFilterName,
    values: readonly Value[],
    label: (value: Value) => string,
  ) =>
    values.map((value) => {
      const chosen = listOf(search[name]);
      return (
        <CheckField
          key={value}
          label={label(value)}
          checked={chosen.includes(value)}
          onChange={({ target }) => {
            const next = values.filter((one) =>
              one === value ? target.checked : chosen.includes(one),
            );
            set({ [name]: next.join(",") || undefined });
          }}
        />
      );
    });

  const choice = (
    name: keyof PeopleQuestion,
    label: string,
    options: [value: string, label: string][],
  ) => (
    <SelectField
      label={label}
      value={search[name] ?? ""}
      options={[["", t`Any`], ...options]}
      onChange={({ target }) => set({ [name]: target.value || undefined })}
    />
  );

  const sorts = useSorts();
  const ages = agesOf(search.age ?? "") ?? {};
  const setAges = ({ min, max }: { min?: string | number; max?: string | number }) => {
    const text = `${min ?? ""}-${max ?? ""}`;
    if (text === "-" || agesOf(text)) set({ age: text === "-" ? undefined : text });
  };

  const mayFilter = (needs: string) => holds(session, needs);
  const named = (filter: NamedFilter, label: string, hasNone = false) => (
    <NamedFilterField {...{ filter, label, hasNone, search, set }} />
  );

  const first = (
    <>
      {sort !== undefined && (
        <SelectField
          label={t`Sort`}
          value={sort}
          options={sorts}
          onChange={({ target }) => set({ sort: target.value as SignedSort })}
        />
      )}
      <Group label={t`Status`}>
        <div className={styles.pair}>
          {checks<PersonMembershipStatus>("status", MEMBERSHIP_STATUSES, statusWords)}
        </div>
      </Group>
      {mayFilter("cell-memberships:read") &&
        named("cell", cellWord, holdsEverywhere(session, "cell-memberships:read"))}
      <TextField
        label={t`Missed in a row, at least this many meetings`}
        type="number"
        min={1}
        max={1000}
        inputMode="numeric"
        value={search.absent ?? ""}
        onChange={({ target }) => set({ absent: target.value || undefined })}
      />
      {mayFilter("tags:read") && named("tag", t`Tag`)}
    </>
  );

  const groups: (Omit<FilterGroup, "value"> & { of?: PeopleFilterName[]; needs?: string })[] = [
    {
      id: "tree",
      title: t`${cellWord} and those below`,
      body: named("tree", cellWord),
      needs: "cell-memberships:read",
    },
    {
      id: "household",
      title: t`Household`,
      body: named("household", t`Household`, holdsEverywhere(session, "households:read")),
      needs: "households:read",
    },
    {
      id: "course",
      of: ["course", "class"],
      title: t`Course`,
      body: (
        <>
          {named("course", t`Course`)}
          {named("class", t`Class`)}
        </>
      ),
      needs: "course-enrollments:read",
    },
    {
      id: "role",
      title: t`Role`,
      body: named("role", t`Role`),
      needs: "role-assignments:read",
    },
    {
      id: "age",
      needs: DETAILS,
      title: t`Age`,
      body: (
        <div className={styles.pair}>
          <TextField
            label={t`From`}
            type="number"
            min={0}
            max={150}
            inputMode="numeric"
            value={ages.min ?? ""}
            onChange={({ target }) => setAges({ ...ages, min: target.value })}
          />
          <TextField
            label={t`To`}
            type="number"
            min={0}
            max={150}
            inputMode="numeric"
            value={ages.max ?? ""}
            onChange={({ target }) => setAges({ ...ages, max: target.value })}
          />
        </div>
      ),
    },
    {
      id: "birthday",
      of: ["birthday", "month"],
      title: t`Birthday`,
      body: (
        <>
          {choice("birthday", t`Birthday`, [
            ["1", t`Today`],
            ["7", t`In the next 7 days`],
            ["30", t`In the next 30 days`],
          ])}
          <Group label={t`Month of birth`}>
            <div className={styles.pair}>
              {checks("month", MONTHS.map(String), (month) => formatMonth(Number(month)))}
            </div>
          </Group>
        </>
      ),
    },
    {
      id: "sex",
      needs: DETAILS,
      title: t`Sex`,
      body: checks("sex", ["female", "male"], (sex) => i18n._(sexes[sex])),
    },
    {
      id: "baptized",
      needs: DETAILS,
      title: t`Baptized`,
      body: choice("baptized", t`Baptized`, [
        ["true", t`Yes`],
        ["false", t`No`],
      ]),
    },
    {
      id: "missing",
      needs: DETAILS,
      title: t`Not known`,
      body: checks("missing", MISSING, (one) => i18n._(missingNames[one])),
    },
    {
      id: "login",
      needs: DETAILS,
      title: t`Can log in`,
      body: choice("login", t`Can log in`, [
        ["true", t`Yes`],
        ["false", t`No`],
      ]),
    },
    {
      id: "new",
      title: t`Added`,
      body: choice("new", t`Added`, [
        ["7", t`In the last 7 days`],
        ["month", t`This month`],
        ["90", t`In the last 90 days`],
      ]),
    },
    {
      id: "active",
      title: t`Active`,
      body: (
        <SelectField
          label={t`Active`}
          value={search.active ?? ""}
          options={[
            ["", t`Active people`],
            ["false", t`Not active`],
            ["all", t`Active or not`],
          ]}
          onChange={({ target }) => set({ active: target.value || undefined })}
        />
      ),
    },
  ];
  for (const [name, definition] of customFields(definitions)) {
    const id = `field.${name}` as const;
    const label = definition.label ?? name;
    const options = (definition.options ?? [])
      .filter(({ archived }) => !archived)
      .map((option): [string, string] => [option.value, option.label ?? option.value]);
    const body =
      options.length > 0 ? (
        choice(id, label, options)
      ) : definition.type === "boolean" ? (
        choice(id, label, [
          ["true", t`Yes`],
          ["false", t`No`],
        ])
      ) : (
        <TextField
          label={label}
          value={search[id] ?? ""}
          onChange={({ target }) => set({ [id]: target.value || undefined })}
        />
      );
    groups.push({ id, title: label, body, needs: DETAILS });
  }
  const shown: FilterGroup[] = groups
    .filter(({ needs }) => needs === undefined || mayFilter(needs))
    .map(({ of, ...group }) => ({ ...group, value: valueOf(of ?? [group.id]) }));
  return <FilterGroups first={first} groups={shown} />;
}
