import { now } from "../../../base/clock.ts";
import { notAllowedHere } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import { type Attribute } from "../../../jsonapi/definition/attributes.ts";
import type { CustomFields } from "../../../jsonapi/definition/custom-fields.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import type { MergeConflict } from "../../../jsonapi/definition/merge.ts";
import { type Dates, dateNames, impossibleDates } from "../dates.ts";

/** A row of `people` as JSON, by column. */
export type PersonRecord = Readonly<Record<string, unknown>> & { readonly id: string };

export interface MergedValues {
  /** The columns of the kept person that change. */
  values: ReadonlyMap<string, unknown>;
  conflicts: readonly MergeConflict[];
  /** The photos that no person has any more. */
  droppedPhotos: readonly string[];
  /** The chosen fields whose values contradict the other values, with the broken rule. */
  impossible: ReadonlyMap<string, Broken>;
}

export interface MergeInput {
  attributes: Readonly<Record<string, Attribute>>;
  customFields: CustomFields | undefined;
  kept: PersonRecord;
  removed: readonly PersonRecord[];
  /** By attribute or `custom-properties.<field>`, the person whose value remains. */
  choices: ReadonlyMap<string, string>;
  /** Without it, the kept person's e-mail address stays as it is, even if there is none. */
  mayFillEmail: boolean;
}

/** Identify entries of arrays that mean the same. Entries of other arrays are compared as they are. */
const sameEntry: Record<string, (entry: never) => unknown> = {
  "other-emails": (address: string) => address.toLowerCase(),
  "phones": ({ number }: { number: string }) => number,
  "identity-documents": (one: { kind: string; number: string; country?: string | null }) => [
    one.kind,
    one.number,
    one.country ?? null,
  ],
};

/** These change only by a choice. Names that are derived from the full name are never empty. */
const onlyChosen = new Set(["first-name", "last-name", "birthdate", "birth-month-day"]);

/** These have rules of their own. */
const apart = new Set(["email", "other-emails", "custom-properties"]);

/** The rank and the activity of the kept person stay as they are. */
const unchanged = new Set(["administrative-status", "is-active"]);

/** Whether `field-choices` can name the attribute. Custom fields are named one by one. */
export const isChoosable = (name: string, { mode }: Attribute): boolean =>
  mode !== "read-only" && !unchanged.has(name) && name !== "custom-properties";

/**
 * Merges the values of people. The kept person's values win, empty ones are filled in the order of the removed people,
 * and arrays are united up to their limits.
 */
export function mergedValues(input: MergeInput): MergedValues {
  return new ValueMerge(input).run();
}

class ValueMerge {
  readonly #input: MergeInput;
  readonly #people: readonly PersonRecord[];
  readonly #values = new Map<string, unknown>();
  readonly #conflicts: MergeConflict[] = [];
  readonly #impossible = new Map<string, Broken>();

  constructor(input: MergeInput) {
    this.#input = input;
    this.#people = [input.kept, ...input.removed];
  }

  run(): MergedValues {
    const { attributes, choices } = this.#input;
    for (const [name, attribute] of Object.entries(attributes)) {
      if (apart.has(name) || unchanged.has(name)) continue;
      if (onlyChosen.has(name) && !choices.has(name)) continue;
      // Consents are read-only, and a merge must not lose them.
      if (attribute.mode !== "read-only" || name === "consents")
        this.#mergeAttribute(name, attribute);
    }
    const droppedPhotos = this.#mergePhotos();
    this.#mergeBirthday();
    this.#mergeEmails();
    this.#mergeCustomProperties();
    this.#dropImpossibleDates();
    return {
      values: this.#values,
      conflicts: this.#conflicts,
      droppedPhotos,
      impossible: this.#impossible,
    };
  }

  #mergeAttribute(name: string, attribute: Attribute): void {
    const column = columnOf(name, attribute);
    const { type } = attribute.schema as { type?: string };
    const chosen = this.#choiceOf(name);
    if (chosen) this.#choose(name, column, chosen);
    else if (type === "array") this.#unite(name, column, attribute);
    else if (type === "object" && attribute.mode === "defaulted")
      this.#uniteMembers(name, column, attribute);
    else this.#fill(name, column);
  }

  #choiceOf(name: string): PersonRecord | undefined {
    const id = this.#input.choices.get(name);
    return this.#people.find((person) => person.id === id);
  }

  /** The chosen value remains, and the others are dropped. */
  #choose(name: string, column: string, chosen: PersonRecord): void {
    const value = chosen[column] ?? null;
    this.#set(column, value);
    for (const dropped of this.#distinct(column, value))
      this.#report(name, "chosen-person", value, dropped);
  }

  #fill(name: string, column: string): void {
    const [value = null] = this.#people.map((person) => person[column]).filter(isGiven);
    this.#set(column, value);
    for (const dropped of this.#distinct(column, value))
      this.#report(name, "kept-person", value, dropped);
  }

  /** The other values that people have in a column, each once. */
  #distinct(column: string, value: unknown): unknown[] {
    const others = new Map(
      this.#people
        .map((person) => person[column])
        .filter((one) => isGiven(one) && !isEqual(one, value))
        .map((one) => [JSON.stringify(one), one]),
    );
    return [...others.values()];
  }

  #unite(name: string, column: string, attribute: Attribute): void {
    const lists = this.#people.map((person) => (person[column] ?? []) as unknown[]);
    const { maxItems = 0 } = attribute.schema as { maxItems?: number };
    const united = this.#united(name, lists, maxItems);
    this.#set(column, name === "phones" ? withOnePrimary(united as Phone[]) : united);
  }

  /** The entries of all lists, each once. Those beyond the limit are conflicts. */
  #united(name: string, lists: readonly (readonly unknown[])[], max: number): unknown[] {
    const identify = (sameEntry[name] ?? ((entry: unknown) => entry)) as (one: unknown) => unknown;
    const entries = new Map<string, unknown>();
    for (const entry of lists.flat()) {
      const key = JSON.stringify(identify(entry));
      if (!entries.has(key)) entries.set(key, entry);
    }
    const all = [...entries.values()];
    for (const dropped of all.slice(max)) this.#report(name, "limit", null, dropped);
    return all.slice(0, max);
  }

  #uniteMembers(name: string, column: string, attribute: Attribute): void {
    const { maxProperties = Number.POSITIVE_INFINITY } = attribute.schema as {
      maxProperties?: number;
    };
    const united: Record<string, unknown> = {};
    for (const person of this.#people)
      for (const [member, value] of Object.entries((person[column] ?? {}) as object)) {
        if (!isGiven(value)) continue;
        const place = `${name}.${member}`;
        if (!Object.hasOwn(united, member)) {
          if (Object.keys(united).length < maxProperties) united[member] = value;
          else this.#report(place, "limit", null, value);
        } else if (!isEqual(united[member], value))
          this.#report(place, "kept-person", united[member], value);
      }
    this.#set(column, united);
  }

  /** The first photo stays. */
  #mergePhotos(): string[] {
    const [photo = null, ...dropped] = this.#people
      .map((person) => person["photo_id"])
      .filter(isGiven) as string[];
    this.#set("photo_id", photo);
    return dropped;
  }

  /** A birthdate and a birthday without a year never contradict each other. */
  #mergeBirthday(): void {
    const { choices } = this.#input;
    if (choices.has("birthdate") || choices.has("birth-month-day"))
      return this.#reconcileChosenBirthday();
    const [first] = this.#people.filter(
      (person) => isGiven(person["birthdate"]) || isGiven(person["birth_month_day"]),
    );
    if (!first) return;
    const birthday = birthdayOf(first);
    const agrees = (person: PersonRecord) => birthdayOf(person) === birthday;
    const dates = this.#people.filter(agrees).map((person) => person["birthdate"]);
    const [birthdate = null] = dates.filter(isGiven);
    this.#set("birthdate", birthdate);
    this.#set("birth_month_day", first["birth_month_day"] ?? null);
    for (const person of this.#people) {
      const [date, day] = [person["birthdate"], person["birth_month_day"]];
      if (isGiven(date) && date !== birthdate)
        this.#report("birthdate", "kept-person", birthdate, date);
      else if (isGiven(day) && !agrees(person))
        this.#report("birth-month-day", "kept-person", birthday, day);
    }
  }

  /** The field that was not chosen gives way. */
  #reconcileChosenBirthday(): void {
    const { choices } = this.#input;
    const birthdate = this.#now("birthdate") as string | null;
    const day = this.#now("birth_month_day") as string | null;
    if (birthdate === null || day === null || birthdate.slice(5) === day) return;
    if (choices.has("birthdate") && choices.has("birth-month-day"))
      this.#impossible.set("birth-month-day", notAllowedHere("Differs from the chosen birthdate."));
    else this.#set(choices.has("birthdate") ? "birth_month_day" : "birthdate", null);
  }

  /** The log-in addresses of removed people become other addresses of the kept person. */
  #mergeEmails(): void {
    const { attributes, kept, mayFillEmail } = this.#input;
    const chosen = this.#choiceOf("email");
    const addresses = this.#people.map((person) => person["email"]).filter(isGiven) as string[];
    const filling = mayFillEmail
      ? this.#people.find((person) => isGiven(person["email"]))
      : undefined;
    const source = chosen ?? (isGiven(kept["email"]) ? kept : (filling ?? kept));
    const email = (source["email"] ?? null) as string | null;
    this.#set("email", email);
    // A merge confirms no address.
    this.#set("email_set_by", source["email_set_by"] ?? null);

    const others = this.#choiceOf("other-emails") ?? kept;
    const rest = this.#input.choices.has("other-emails") ? [] : this.#input.removed;
    const lists = [others, ...rest].map((person) => (person["other_emails"] ?? []) as string[]);
    const [first = [], ...more] = lists;
    const { maxItems = 0 } = (attributes["other-emails"] as Attribute).schema as {
      maxItems?: number;
    };
    const isOther = (address: string) => address.toLowerCase() !== email?.toLowerCase();
    const united = [first, addresses, ...more].map((list) => list.filter(isOther));
    this.#set("other_emails", this.#united("other-emails", united, maxItems));
  }

  #mergeCustomProperties(): void {
    const { customFields, kept, removed } = this.#input;
    const gone = new Set<unknown>(removed.map(({ id }) => id));
    const valuesOf = (person: PersonRecord) =>
      (person["custom_properties"] ?? {}) as Record<string, unknown>;
    const names = new Set(this.#people.flatMap((person) => Object.keys(valuesOf(person))));
    const merged: Record<string, unknown> = {};
    for (const name of names) {
      const field = customFields?.fields.get(name);
      const given = this.#people.map((person) => valuesOf(person)[name]).filter(isGiven);
      const chosen = this.#choiceOf(`custom-properties.${name}`);
      const place = `custom-properties.${name}`;
      const value =
        chosen !== undefined
          ? valuesOf(chosen)[name]
          : field?.type === "multi-select"
            ? this.#united(place, given as unknown[][], 200)
            : given[0];
      // A person who named a removed one names the kept person.
      if (isGiven(value)) merged[name] = gone.has(value) ? kept.id : value;
      if (field?.type === "multi-select" && !chosen) continue;
      const dropped = new Map(given.map((one) => [JSON.stringify(one), one]));
      dropped.delete(JSON.stringify(value));
      for (const one of dropped.values())
        this.#report(place, chosen ? "chosen-person" : "kept-person", value ?? null, one);
    }
    this.#set("custom_properties", merged);
  }

  /** Dates that were filled in and contradict the others are dropped. Chosen ones are reported. */
  #dropImpossibleDates(): void {
    const { choices, kept } = this.#input;
    const stored: Dates = Object.fromEntries(dateNames.map((name) => [name, kept[column(name)]]));
    for (;;) {
      const changed: Dates = Object.fromEntries(
        dateNames
          .filter((name) => this.#values.has(column(name)))
          .map((name) => [name, this.#values.get(column(name))]),
      );
      let again = false;
      for (const [name, broken] of impossibleDates(changed, stored, now())) {
        if (choices.has(name)) this.#impossible.set(name, broken);
        else {
          this.#report(
            name,
            "impossible-date",
            kept[column(name)] ?? null,
            this.#now(column(name)),
          );
          this.#values.delete(column(name));
          again = true;
        }
      }
      if (!again) return;
    }
  }

  #now(name: string): unknown {
    return this.#values.has(name) ? this.#values.get(name) : (this.#input.kept[name] ?? null);
  }

  #set(name: string, value: unknown): void {
    if (isEqual(value, this.#input.kept[name] ?? null)) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  /** Values of custom fields that only some callers see are not kept with the merge. */
  #report(field: string, rule: string, kept: unknown, dropped: unknown): void {
    const [, custom] = field.split("custom-properties.");
    const isOpen = custom === undefined || this.#input.customFields?.isShownToAll(custom) === true;
    const values = isOpen ? { kept, dropped } : { kept: null, dropped: null };
    this.#conflicts.push({ "resource-type": "people", field, rule, ...values });
  }
}

interface Phone {
  "number": string;
  "is-primary"?: boolean | null;
}

function withOnePrimary(phones: readonly Phone[]): Phone[] {
  const primary = phones.findIndex((one) => one["is-primary"] === true);
  return phones.map((one, place) =>
    one["is-primary"] === true && place !== primary ? { ...one, "is-primary": false } : one,
  );
}

const column = (name: string): string => name.replaceAll("-", "_");

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Both come from JSON that PostgreSQL wrote, so equal values have equal texts. */
const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const birthdayOf = (person: PersonRecord): string | undefined => {
  const day = person["birth_month_day"] as string | null;
  return day ?? (person["birthdate"] as string | null)?.slice(5);
};
