import Format from "typebox/format";
import { text } from "./attributes.ts";

/** More than white space, controls, and what has no width or only turns the direction of what follows. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

// Beside the pattern, which every reader of the schema understands: classes of characters are not the same everywhere.
Format.Set("not-blank", (value) => SEEN.test(value));

/** What something is called. */
export const named = (maxLength: number) =>
  text({
    minLength: 1,
    maxLength,
    pattern: "\\S",
    format: "not-blank",
    description: "text that is not blank",
  });
