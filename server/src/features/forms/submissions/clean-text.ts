/** Characters that change the direction of the text after them, which can make it look like another text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Control characters except tabs and ends of lines. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** A text of a sender without markup, without characters that hide other ones, and in the normal form of Unicode. */
export const cleanText = (text: string): string =>
  // Markup comes last, because a character that is removed can stand within a tag.
  withoutMarkup(text.replace(DIRECTION, "").replace(CONTROL, "").normalize("NFC")).trim();

/** The beginnings of tags, comments and declarations. */
const OPENING = /<+(?=[a-z!/?])/gi;

/** Removes elements as an HTML parser makes them. Other angle brackets stay, such as those of `Ana <ana@example.org>`. */
function withoutMarkup(text: string): string {
  if (!text.includes("<")) return text;
  const cleaned = withoutTags(withoutComments(text));
  // A removal can make another tag of its neighbors. Only a sender who wants that gets here.
  const again = withoutTags(withoutComments(cleaned));
  return again === cleaned ? cleaned : cleaned.replace(OPENING, "");
}

function withoutComments(text: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    if (start < 0) return kept + text.slice(from);
    kept += text.slice(from, start);
    // `<!-->` is a whole comment.
    const end = text.indexOf("-->", start + 2);
    // A comment without an end would hide the rest of the text.
    if (end < 0) return kept + text.slice(start).replaceAll("<!--", "");
    from = end + "-->".length;
  }
}

/** A possible tag up to its end, or up to the next angle bracket if the end is missing. */
const TAG = /<(?:\/?([a-z][^\s/<>]*)|!doctype(?![^\s>])|\?)([^<>]*)(>?)/gi;

/** Addresses such as `ana@example.org` and `https://example.org` are no names of elements. */
const ELEMENT_NAME = /^[a-z][a-z0-9]*(?:[-:][a-z0-9]+)*$/i;

const VALUE = /[\s/][a-z][^\s/=]*\s*=/i;

/** The first attribute has a value. */
const VALUE_FIRST = /^[\s/]+[a-z][^\s/=]*=/i;

/** The words after `<b` in `a<b and c>d`. As attributes of an element with so short a name they would run nothing. */
const WORDS = /^(?:\s+[^\s/="'`]+)*\s*$/;

function withoutTags(text: string): string {
  const lastEnd = text.lastIndexOf(">");
  const lastValue = text.lastIndexOf("=");
  return text.replace(
    TAG,
    (tag, name: string | undefined, rest: string, end: string, at: number): string => {
      if (end !== "") return name === undefined || isElement(name, rest) ? "" : tag;
      const after = at + tag.length;
      // A parser ends the tag at a later bracket, so that the next opening bracket belongs to an attribute.
      if (after < lastEnd)
        return name !== undefined && after > lastValue && !isElement(name, rest)
          ? tag
          : tag.slice(1);
      // A parser makes no element of the rest. A program that puts another text after it can.
      return name !== undefined && ELEMENT_NAME.test(name) && VALUE_FIRST.test(rest)
        ? tag.slice(1)
        : tag;
    },
  );
}

function isElement(name: string, rest: string): boolean {
  if (VALUE.test(rest)) return true;
  if (!ELEMENT_NAME.test(name)) return false;
  return name.length > 1 || rest.trim() === "" || !WORDS.test(rest);
}
