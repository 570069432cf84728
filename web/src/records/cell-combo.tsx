import type { ReactNode } from "react";
import { searchCells } from "../data/cells.ts";
import { ComboField, type Option } from "../ui/combo-field.tsx";

/** A group that is not closed, found by its name or its place. */
export function CellCombo({
  exclude,
  type,
  ...frame
}: {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  value: Option | null;
  onChange: (value: Option | null) => void;
  /** The group that is not offered. */
  exclude?: string;
  type?: "cell" | "supervision";
  autoFocus?: boolean;
}) {
  return (
    <ComboField
      {...frame}
      minLength={0}
      search={async (text, signal) =>
        (await searchCells(text, type, signal))
          .filter(({ id }) => id !== exclude)
          .map(({ id, name, parent }) => ({ id, label: name, detail: parent?.name }))
      }
    />
  );
}
