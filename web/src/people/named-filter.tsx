import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { namesOptions, searchNames } from "../data/names.ts";
import {
  listOf,
  MOST_IDS,
  NAMED_FILTERS,
  type NamedFilter,
  type PeopleSearch,
} from "../data/people-filters.ts";
import { ComboField } from "../ui/combo-field.tsx";
import { CheckField, Group } from "../ui/field.tsx";
import { VisuallyHidden } from "../ui/text.tsx";

/** Any of some records, which the service finds by name. `none` means people without any. */
export function NamedFilterField({
  filter,
  label,
  search,
  set,
  hasNone = false,
}: {
  filter: NamedFilter;
  label: string;
  search: PeopleSearch;
  set: (changes: PeopleSearch) => void;
  /** The service answers this to callers who see all of them. */
  hasNone?: boolean;
}) {
  const { t } = useLingui();
  const type = NAMED_FILTERS[filter];
  const isNone = search[filter] === "none";
  const ids = isNone ? [] : listOf(search[filter]);
  const { data: names = [] } = useQuery({ ...namesOptions(type, ids), enabled: ids.length > 0 });
  const setIds = (next: string[]) => set({ [filter]: next.join(",") || undefined });
  return (
    <Group label={label}>
      {hasNone && (
        <CheckField
          label={t`none at all`}
          checked={isNone}
          onChange={({ target }) => set({ [filter]: target.checked ? "none" : undefined })}
        />
      )}
      {ids.map((id) => (
        <CheckField
          key={id}
          label={<bdi>{names.find((one) => one.id === id)?.name ?? "…"}</bdi>}
          checked
          onChange={() => setIds(ids.filter((one) => one !== id))}
        />
      ))}
      {!isNone && ids.length < MOST_IDS && (
        <ComboField
          // A chosen record moves above, and leaves an empty field for the next one.
          key={ids.join()}
          name={filter}
          label={<VisuallyHidden>{label}</VisuallyHidden>}
          value={null}
          minLength={0}
          onChange={(option) => option && setIds([...new Set([...ids, option.id])])}
          search={async (text, signal) =>
            (await searchNames(type, text, signal)).map(({ id, name }) => ({ id, label: name }))
          }
        />
      )}
    </Group>
  );
}
