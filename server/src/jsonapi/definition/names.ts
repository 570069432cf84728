import Format from "typebox/format";
import { isBlank } from "../../base/wording.ts";
import { formatted, isOneLine, lines, text } from "./attributes.ts";

// A format, because the character classes of patterns differ between programming languages.
Format.Set("not-blank", (value) => !isBlank(value));
Format.Set("name", (value) => !isBlank(value) && isOneLine(value));

/** A name of one line that is not blank. */
export const named = (maxLength: number) =>
  text({
    minLength: 1,
    maxLength,
    pattern: "\\S",
    format: "name",
    description: "one line of text that is not blank",
  });

/** Lines of text that are not blank. */
export const prose = (maxLength: number) =>
  lines({
    minLength: 1,
    maxLength,
    pattern: "\\S",
    format: "not-blank",
    description: "text that is not blank",
  });

/** The id of a resource inside an attribute. The operation checks that the resource exists. */
export const idOfResource = () => text({ maxLength: 36, format: "uuid", ...formatted("uuid") });
