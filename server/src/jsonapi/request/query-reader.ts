import { didYouMean } from "../../base/choices.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";
import type { Broken } from "../../base/rules.ts";

/** Marks a parameter that is not percent-encoded UTF-8. As text, it would match nothing. */
export const undecodable = Symbol("undecodable");

export type RawQuery = Readonly<Record<string, string | string[] | typeof undecodable>>;

/** Parameter names of other APIs, and their names here. */
const synonyms: Readonly<Record<string, string>> = {
  "limit": "page[size]",
  "offset": "page[number]",
  "page": "page[number]",
  "page[limit]": "page[size]",
  "page[offset]": "page[number]",
  "per_page": "page[size]",
};

/** Collects every mistake in the query before it throws. */
export class QueryReader {
  readonly problems: Problem[] = [];
  readonly values = new Map<string, string>();
  /** The known parameters with fixed names. */
  readonly #known: string[] = [];

  constructor(raw: RawQuery) {
    for (const [name, value] of Object.entries(raw)) {
      if (value === undecodable) this.report(name, { rule: "format", format: "percent-encoded" });
      // Some clients write `filter[id]=a,b` as `filter[id][]=a&filter[id][]=b`.
      else if (/^filter\[[^\]]+\]\[\]$/.test(name))
        this.values.set(name.slice(0, -2), [value].flat().join(","));
      else if (Array.isArray(value)) this.report(name, { rule: "repeated" });
      else this.values.set(name, value);
    }
  }

  report(parameter: string, broken: Broken) {
    this.problems.push(problem("invalid-parameter", broken, { parameter }));
  }

  take(name: string): string | undefined {
    this.#known.push(name);
    const value = this.values.get(name);
    this.values.delete(name);
    return value;
  }

  /** Takes `filter[…]` or `fields[…]`. Returns the word in the brackets, the whole name and the value. */
  takeFamily(family: string): [string, string, string][] {
    const taken: [string, string, string][] = [];
    for (const [name, value] of this.values)
      if (name.startsWith(`${family}[`) && name.endsWith("]")) {
        taken.push([name.slice(family.length + 1, -1), name, value]);
        this.values.delete(name);
      }
    return taken;
  }

  finish(): void {
    for (const name of this.values.keys()) {
      const synonym = synonyms[name] ?? "";
      const hint = this.#known.includes(synonym)
        ? `Use ${synonym}.`
        : didYouMean(name, this.#known).trim();
      const broken = { rule: "unknown", given: name, hint } as const;
      this.problems.push(problem("unknown-parameter", broken, { parameter: name }));
    }
    if (this.problems.length > 0) throw new ApiError(this.problems);
  }
}

export const doesNotAccept = (unknown: string, known: readonly string[]): Broken =>
  known.length === 0
    ? { rule: "unknown", given: unknown }
    : {
        rule: "one-of",
        allowed: known,
        given: unknown,
        hint: didYouMean(unknown, known).trim(),
      };
