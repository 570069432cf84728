import Format from "typebox/format";
import { isOneLine, lines, text } from "./attributes.ts";

/** A visible character: not white space, a control, or an ignorable character such as a direction mark. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

// A format, because the character classes of patterns differ between programming languages.
Format.Set("not-blank", (value) => VISIBLE.test(value));
Format.Set("name", (value) => VISIBLE.test(value) && isOneLine(value));

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
export const idOfResource = () =>
  text({ maxLength: 36, format: "uuid", description: "the id of a resource" });
