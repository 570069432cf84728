import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type NamedType, namesOptions, searchNames } from "../data/names.ts";
import { ComboField, type Option } from "../ui/combo-field.tsx";

/** A group, a course or a class, found by its name. The value is the id. */
export function NamedField({
  type,
  value,
  onChange,
  ...frame
}: {
  type: NamedType;
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  value: string | null | undefined;
  onChange: (id: string | null) => void;
}) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const isKnown = !value || chosen?.id === value;
  const { data: names } = useQuery({ ...namesOptions(type, [value ?? ""]), enabled: !isKnown });
  if (!isKnown && names === undefined) return null;
  return (
    <ComboField
      {...frame}
      minLength={0}
      value={isKnown ? (value ? chosen : null) : { id: value, label: names?.[0]?.name ?? "…" }}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? null);
      }}
      search={async (text, signal) =>
        (await searchNames(type, text, signal)).map(({ id, name }) => ({ id, label: name }))
      }
    />
  );
}
