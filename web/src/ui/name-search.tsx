import { Plural, Trans } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";
import { TextField } from "./field.tsx";
import { contains } from "./names.ts";

/** A list of fewer names is searched faster by the eye. */
const MANY = 30;

/** The search of a list that is on the page as a whole, and the rows that it finds. */
export function useNameSearch<Row>(
  rows: readonly Row[],
  namesOf: (row: Row) => (string | null)[],
): { found: readonly Row[]; search: ReactNode } {
  const [text, setText] = useState("");
  if (rows.length <= MANY) return { found: rows, search: null };
  const found = rows.filter((row) => namesOf(row).some((name) => name && contains(name, text)));
  return {
    found,
    search: (
      <TextField
        type="search"
        label={<Trans>Find by name</Trans>}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        help={
          <span role="status">
            {text && <Plural value={found.length} one="# person found" other="# people found" />}
          </span>
        }
      />
    ),
  };
}
