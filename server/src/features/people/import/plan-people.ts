import { notAllowedHere, type Problem, problem } from "../../../base/errors.ts";
import { now } from "../../../base/clock.ts";
import { folded } from "../../../base/folded.ts";
import type {
  ImportedValues,
  ImportOptions,
  ImportRow,
  PlannedRow,
} from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { parseRow } from "../../../jsonapi/sql/parse-row.ts";
import { problemsOf } from "../../../jsonapi/sql/write-apart.ts";
import { assertMayChangeEmail } from "../change-email.ts";
import { type Dates, datesIn, dateProblems } from "../dates.ts";
import { ambiguous, keysOf, matchPeople, pointers } from "./match.ts";
import { mergedValues, storedPeople } from "./stored-people.ts";
import { isAbout, linkColumns, planLinks, splitValues } from "./links.ts";
import { readRow } from "./read-row.ts";

/** Decides for each row whether it creates a person, updates the one it matches, or is wrong. */
export async function planPeople(
  context: WriteContext,
  given: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly PlannedRow[]> {
  const { matchOn, onMatch } = options;
  const rows = given.map((row) => ({ ...row, values: withFullName(row.values) }));
  const owners = await matchPeople(context, rows, "email");
  const byKey = new Map([["email", owners]]);
  for (const name of matchOn)
    if (!byKey.has(name)) byKey.set(name, await matchPeople(context, rows, name));
  const matchesOf = (row: number) =>
    new Set(matchOn.flatMap((name) => byKey.get(name)?.get(row) ?? []));
  const stored = await storedPeople(
    context,
    rows.flatMap(({ row }) => [...matchesOf(row)]),
  );

  const planned: PlannedRow[] = [];
  for (const one of rows) {
    const { row } = one;
    const [id = null, ...others] = matchesOf(row);
    const repeated = repetition(one, id, options);
    const named = [
      ...(others.length > 0 ? [ambiguous(others.length + 1, matchOn)] : []),
      ...(repeated ? [repeated] : []),
    ];
    if (named.length === 0 && id !== null && onMatch === "skip") {
      planned.push({ row, action: "skip", id, values: {}, problems: [] });
      continue;
    }
    const before = id === null ? undefined : stored.get(id)?.columns;
    const values = id === null ? one.values : { ...one.values, ...one.cleared };
    const { links, person } = splitValues(context, values);
    const problems = [
      ...named,
      ...(await check(context, before ? mergedValues(context, person, before) : person, {
        id,
        before,
      })),
      ...parseRow(context, linkColumns(context), links).problems,
      ...(owners.get(row)?.some((owner) => owner !== id) && others.length === 0 ? [taken()] : []),
    ];
    const action = problems.length > 0 ? "error" : id === null ? "create" : "update";
    planned.push({ row, action, id, values, problems });
  }
  return planLinks(context, planned, options);
}

/** A file with two columns for the name has none for the whole name. */
function withFullName(values: ImportedValues): ImportedValues {
  const { "first-name": first, "full-name": full, "last-name": last } = values;
  if (full !== undefined || (first ?? last) === undefined) return values;
  return {
    ...values,
    "full-name": [first, last].filter((part) => typeof part === "string").join(" "),
  };
}

/** Everything that the API would report about a document with these values, and the rules that it would check afterwards. */
async function check(
  context: WriteContext,
  values: ImportedValues,
  { before, id }: { id: string | null; before: Readonly<Record<string, unknown>> | undefined },
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  try {
    await readRow(context, values, id);
  } catch (error) {
    problems.push(...problemsOf(error));
  }
  const right = Object.fromEntries(
    Object.entries(values).filter(([name]) => !problems.some((one) => isAbout(one, name))),
  );
  const { email } = right;
  if (id !== null && before && (typeof email === "string" || email === null))
    await assertMayChangeEmail(context, personIn(id, before), email).catch((error: unknown) =>
      problems.push(...problemsOf(error)),
    );
  const dates = datesIn(right);
  const kept = dates && before ? storedDates(before) : {};
  const birthdate = right["birthdate"] ?? before?.["birthdate"];
  const birthday = right["birth-month-day"] ?? before?.["birth_month_day"];
  if (dates) problems.push(...dateProblems(dates, kept, now()));
  if (typeof birthdate === "string" && birthday && birthdate.slice(5) !== birthday)
    problems.push(
      problem("invalid-attribute", notAllowedHere("Differs from the birthdate."), {
        pointer: "/data/attributes/birth-month-day",
      }),
    );
  return problems;
}

const personIn = (id: string, columns: Readonly<Record<string, unknown>>) => ({
  id,
  email: columns["email"] as string | null,
  hasLogin: columns["has_login"] === true,
});

const storedDates = (columns: Readonly<Record<string, unknown>>): Dates =>
  datesIn(
    Object.fromEntries(
      Object.entries(columns).map(([column, value]) => [column.replaceAll("_", "-"), value]),
    ),
  ) ?? {};

/** Finds an earlier row about the same person. Relatives share a telephone number, so an equal one proves nothing. */
function repetition(
  { row, values }: ImportRow,
  id: string | null,
  { earlier, matchOn }: ImportOptions,
): Problem | undefined {
  const names = new Set(["email", ...matchOn.filter((name) => name !== "phone")]);
  const keys: [key: string, pointer: string][] = [...names].flatMap((name) =>
    keysOf(name, values).map(({ beside, value }): [string, string] => [
      `${name} ${folded(beside)} ${folded(value)}`,
      pointers[name] ?? "",
    ]),
  );
  if (id !== null) keys.push([`person ${id}`, pointers[matchOn[0] ?? ""] ?? ""]);
  const known = keys.find(([key]) => earlier.has(key));
  if (known)
    return problem("already-exists", `Row ${earlier.get(known[0])} is about the same person.`, {
      pointer: known[1],
    });
  for (const [key] of keys) earlier.set(key, row);
  return undefined;
}

const taken = (): Problem =>
  problem("already-exists", "Another person of this account has this e-mail address.", {
    pointer: "/data/attributes/email",
  });
