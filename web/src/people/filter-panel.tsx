import { useLingui } from "@lingui/react/macro";
import type { PersonMembershipStatus } from "@vestry/sdk";
import { holds, holdsEverywhere } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import {
  agesOf,
  listOf,
  MEMBERSHIP_STATUSES,
  MISSING,
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
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { type FilterGroup, FilterGroups } from "../ui/filter-groups.tsx";
import { formatMonth } from "../ui/format.ts";
import { NamedFilterField } from "./named-filter.tsx";
import { useSorts } from "./sorts.ts";
import styles from "./list.module.css";

/** Filters by other attributes than those of the reduced view find nothing without this permission. */
const DETAILS = "person-details:read";

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

/** All filters of people, and the sort on phones. `set` changes search parameters of the address. */
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
  const valueOf = (id: string) => words.find(({ name }) => name === id)?.value;

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

  const groups: (Omit<FilterGroup, "value"> & { needs?: string })[] = [
    {
      id: "status",
      title: t`Status`,
      body: checks<PersonMembershipStatus>("status", MEMBERSHIP_STATUSES, statusWords),
    },
    {
      id: "cell",
      title: cellWord,
      body: (
        <NamedFilterField
          filter="cell"
          label={cellWord}
          hasNone={holdsEverywhere(session, "cell-memberships:read")}
          {...{ search, set }}
        />
      ),
      needs: "cell-memberships:read",
    },
    {
      id: "tree",
      title: t`${cellWord} and those below`,
      body: <NamedFilterField filter="tree" label={cellWord} {...{ search, set }} />,
      needs: "cell-memberships:read",
    },
    {
      id: "tag",
      title: t`Tag`,
      body: <NamedFilterField filter="tag" label={t`Tag`} {...{ search, set }} />,
      needs: "tags:read",
    },
    {
      id: "household",
      title: t`Household`,
      body: (
        <NamedFilterField
          filter="household"
          label={t`Household`}
          hasNone={holdsEverywhere(session, "households:read")}
          {...{ search, set }}
        />
      ),
      needs: "households:read",
    },
    {
      id: "course",
      title: t`Course`,
      body: <NamedFilterField filter="course" label={t`Course`} {...{ search, set }} />,
      needs: "course-enrollments:read",
    },
    {
      id: "class",
      title: t`Class`,
      body: <NamedFilterField filter="class" label={t`Class`} {...{ search, set }} />,
      needs: "course-enrollments:read",
    },
    {
      id: "role",
      title: t`Role`,
      body: <NamedFilterField filter="role" label={t`Role`} {...{ search, set }} />,
      needs: "role-assignments:read",
    },
    {
      id: "absent",
      title: t`Missed in a row`,
      body: (
        <TextField
          label={t`At least this many meetings`}
          type="number"
          min={1}
          max={1000}
          inputMode="numeric"
          value={search.absent ?? ""}
          onChange={({ target }) => set({ absent: target.value || undefined })}
        />
      ),
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
      id: "month",
      title: t`Month of birth`,
      body: (
        <div className={styles.pair}>
          {checks("month", MONTHS.map(String), (month) => formatMonth(Number(month)))}
        </div>
      ),
    },
    {
      id: "birthday",
      title: t`Birthday`,
      body: choice("birthday", t`Birthday`, [
        ["1", t`Today`],
        ["7", t`In the next 7 days`],
        ["30", t`In the next 30 days`],
      ]),
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
    .filter(({ needs }) => needs === undefined || holds(session, needs))
    .map((group) => ({ ...group, value: valueOf(group.id) }));
  if (sort !== undefined)
    shown.unshift({
      id: "sort",
      title: t`Sort`,
      value: sorts.find(([id]) => id === sort)?.[1],
      body: (
        <SelectField
          label={t`Sort`}
          value={sort}
          options={sorts}
          onChange={({ target }) => set({ sort: target.value as SignedSort })}
        />
      ),
    });
  return <FilterGroups groups={shown} />;
}
