/** A comment, or a tag with everything in it. */
const TAG = /<!--[^]*?-->|<[a-z!/?][^<>]*>/gi;

/** The beginning of a tag that never ends, or that the removal of another one has made. */
const OPENING = /<(?=[a-z!/?])/gi;

/** Characters that change the direction of the text after them, which can make it look like another text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Control characters except tabs and ends of lines. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** A text of a sender without markup, without characters that hide other ones, and in the normal form of Unicode. */
export const cleanText = (text: string): string =>
  text
    .replace(TAG, "")
    .replace(OPENING, "")
    .replace(DIRECTION, "")
    .replace(CONTROL, "")
    .normalize("NFC")
    .trim();
