import { Trans as LinguiTrans, type TransProps } from "@lingui/react";
import { isolated } from "./names.ts";

/**
 * The `Trans` of all messages. Lingui reads the elements of a message after it has put in the values, so a name with a tag in it would
 * lose the tag. As an element, it is not read, and a name that is written from right to left leaves the sentence around it alone.
 */
export function Trans({ values, ...message }: TransProps) {
  return (
    <LinguiTrans
      {...message}
      values={
        values &&
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            typeof value === "string" ? <>{isolated(value)}</> : value,
          ]),
        )
      }
    />
  );
}
