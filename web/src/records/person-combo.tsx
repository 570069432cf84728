import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type FoundPerson, peopleNamesOptions, searchPeople } from "../data/people-search.ts";
import { Avatar } from "../ui/avatar.tsx";
import { ComboField, type Option } from "../ui/combo-field.tsx";

export const personOption = (person: FoundPerson): Option => ({
  id: person.id,
  label: person["full-name"],
  detail: person.phones?.[0]?.display ?? person.email ?? undefined,
  face: <Avatar name={person["full-name"]} photo={person["photo-url"]} size={28} />,
});

/** A person, found by name, e-mail address or telephone number. The value is the id. */
export function PersonCombo({
  value,
  onChange,
  exclude = [],
  ...frame
}: {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  value: string | null | undefined;
  onChange: (id: string | null, person?: Option) => void;
  /** People who are not offered. */
  exclude?: readonly string[];
  autoFocus?: boolean;
}) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const isKnown = !value || chosen?.id === value;
  const { data: names } = useQuery({ ...peopleNamesOptions([value ?? ""]), enabled: !isKnown });
  if (!isKnown && names === undefined) return null;
  return (
    <ComboField
      {...frame}
      value={isKnown ? (value ? chosen : null) : { id: value, label: names?.get(value) ?? "…" }}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? null, option ?? undefined);
      }}
      search={async (text, signal) =>
        (await searchPeople(text, signal))
          .filter(({ id }) => !exclude.includes(id))
          .map(personOption)
      }
    />
  );
}
