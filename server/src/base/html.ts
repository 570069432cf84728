/** Escapes a text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A fragment of HTML. The class is not exported, so a text of a user never becomes one. */
class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}
export type { Html };

/** Lists are joined, and absent values are nothing. */
export type Content = string | number | Html | false | null | undefined | readonly Content[];

/** A template whose values are escaped, unless they are fragments. Attributes need double quotes. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(String.raw({ raw: strings }, ...contents.map(written)));

function written(content: Content): string {
  if (content === false || content === null || content === undefined) return "";
  if (content instanceof Html) return content.toString();
  if (typeof content === "object") return content.map(written).join("");
  return escapeHtml(String(content));
}

/** Facts for search engines. A text `</script>` in them does not end the element. */
export const jsonScript = (facts: object): Html =>
  new Html(
    `<script type="application/ld+json">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>`,
  );
