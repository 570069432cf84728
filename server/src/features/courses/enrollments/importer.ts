import { ApiError, type Problem, problem } from "../../../base/errors.ts";
import { optional } from "../../../jsonapi/definition/attributes.ts";
import type {
  ImportedValues,
  Importer,
  ImportOptions,
  ImportRow,
  PlannedRow,
  UndoneRow,
  WrittenRow,
} from "../../../jsonapi/definition/importer.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { type WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { parseRow } from "../../../jsonapi/sql/parse-row.ts";
import { problemsOf, writeApart } from "../../../jsonapi/sql/write-apart.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { json } from "../../../store/sql.ts";
import { assertRequirementsMet } from "../requirements/unmet.ts";
import { assertAdmits, classFull } from "./admission.ts";
import { enrollFromFile, initialStatuses } from "./create-enrollment.ts";
import { courseEnrollments } from "./definition.ts";
import type { EnrollmentFields } from "./fields.ts";
import { lockEnrollment } from "./locks.ts";
import { admitWaiting, freeSeats, type LockedClass } from "./seats.ts";

const columns = { class: named(200), course: optional(named(200)) };

const rowFields = {
  type: courseEnrollments.type,
  attributes: { ...courseEnrollments.attributes, ...columns },
  relationships: {},
};

/** Imports enrollments from a file. Each row names a class, its course if several classes share the name, and a person. */
export const enrollmentImporter: Importer = {
  type: "course-enrollments",
  needs: ["course-enrollments:write", "course-classes:read", "people:read"],
  excluded: [
    "requirements-waived",
    "graduation-waived",
    "waiver-note",
    "withdrawn-reason",
    "new-person",
    "custom-properties",
  ],
  lists: {},
  daysOfYear: {},
  columns,
  linkers: () => [],
  matches: "people",
  plan: planRows,
  write: (context, rows) => writeApart(context, rows, (some) => writeAll(context, some)),
  undo: undoRows,
};

type Attributes = CreateInput<EnrollmentFields>["attributes"];

interface WantedEnrollment {
  row: number;
  personId: string | null;
  values: ImportedValues;
  /** Undefined if the values are wrong. */
  attributes: Attributes | undefined;
  problems: readonly Problem[];
}

const AT_CLASS = { pointer: "/data/attributes/class" };

function readRow(
  context: WriteContext,
  { id, row, values: given }: Pick<PlannedRow, "id" | "row" | "values">,
): WantedEnrollment {
  const { attributes: parsed, problems, values } = parseRow(context, rowFields, given);
  const read = { row, personId: id, values };
  if (!parsed) return { ...read, attributes: undefined, problems };
  const { class: _, course: __, ...attributes } = parsed;
  const { status = "active" } = attributes;
  if (status === "active" || status === "requested") return { ...read, attributes, problems };
  const wrong = problem(
    "invalid-attribute",
    { rule: "one-of", allowed: initialStatuses },
    { pointer: "/data/attributes/status" },
  );
  return { ...read, attributes: undefined, problems: [wrong] };
}

interface NamedClass extends Pick<LockedClass, "id" | "courseId" | "courseIsActive" | "status"> {
  row: number;
  /** The enrollment that the person has. */
  enrollmentId: string | null;
}

/** The classes that the rows name. A class that is over counts only if no other one has the name. */
async function classesNamed(
  { actor, db }: WriteContext,
  rows: readonly WantedEnrollment[],
): Promise<ReadonlyMap<number, readonly NamedClass[]>> {
  const given = rows.map(({ personId, row, values }) => ({ ...values, row, person: personId }));
  const found = await db<NamedClass[]>`
    select given.row, class.id, class.course_id as "courseId", class.status, course.is_active as "courseIsActive",
      own.id as "enrollmentId"
    from jsonb_to_recordset(${json(given)}::text::jsonb) as given (row int, person uuid, class text, course text)
    join course_classes class on class.account_id = ${actor.accountId} and fold(class.name) = fold(btrim(given.class))
    join courses course on course.account_id = class.account_id and course.id = class.course_id
      and (given.course is null or fold(course.name) = fold(btrim(given.course)))
    left join course_enrollments own on own.account_id = class.account_id and own.class_id = class.id
      and own.person_id = given.person and own.status in ('requested', 'waitlisted', 'active', 'completed')
    order by class.id`;
  return new Map(
    [...Map.groupBy(found, ({ row }) => row)].map(([row, all]) => {
      const open = all.filter(({ status }) => status === "open" || status === "in-progress");
      return [row, open.length > 0 ? open : all];
    }),
  );
}

function namedClass(
  { values }: WantedEnrollment,
  found: readonly NamedClass[] = [],
): { named?: NamedClass; problems: readonly Problem[] } {
  const name = String(values["class"]);
  const [named, ...others] = found;
  if (named && others.length === 0) return { named, problems: [] };
  return {
    problems: [
      named
        ? problem(
            "conflict",
            `${found.length} classes have the name ${name}. Name the course as well, or rename them.`,
            AT_CLASS,
          )
        : problem(
            "invalid-relationship",
            { rule: "not-found", hint: `No class has the name ${name}.` },
            AT_CLASS,
          ),
    ],
  };
}

/** The rules of POST /v1/course-enrollments for the rows of a batch, and those between the rows of a file. */
async function planRows(
  context: WriteContext,
  rows: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly PlannedRow[]> {
  const people = await context.catalogue.published.findPeople(context, rows, options);
  const wanted = rows.map(({ row, values }) => {
    const { id = null, problems = [] } = people.get(row) ?? {};
    const read = readRow(context, { row, id, values });
    return { ...read, problems: [...problems, ...read.problems] };
  });
  const classes = await classesNamed(context, wanted);
  const planned: PlannedRow[] = [];
  for (const one of wanted) {
    const { personId: id, row, values } = one;
    const { named, problems: absent } =
      typeof values["class"] === "string"
        ? namedClass(one, classes.get(row))
        : { named: undefined, problems: [] };
    if (named?.enrollmentId && one.problems.length === 0) {
      planned.push({ row, action: "skip", id, values, problems: [] });
      continue;
    }
    const rules = named ? await rulesOf(context, one, named, options) : [];
    const problems = [...one.problems, ...absent, ...rules];
    planned.push({ row, action: problems.length > 0 ? "error" : "create", id, values, problems });
  }
  return planned;
}

async function rulesOf(
  context: WriteContext,
  { attributes, personId, row }: WantedEnrollment,
  named: NamedClass,
  { earlier, members }: ImportOptions,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const attempt = async (rule: () => unknown) => {
    try {
      await rule();
    } catch (error) {
      problems.push(...problemsOf(error).map((one) => ({ ...one, source: AT_CLASS })));
    }
  };
  await attempt(() => assertAdmits(named, AT_CLASS));
  if (personId === null) return problems;
  const key = `enrolled ${personId} ${named.id}`;
  const before = earlier.get(key);
  if (before !== undefined)
    problems.push(
      problem("already-exists", `Row ${before} is about the same enrollment.`, AT_CLASS),
    );
  earlier.set(key, before ?? row);
  const { courseId } = named;
  await attempt(() => assertRequirementsMet(context, { courseId, personId, areWaived: false }));
  if (problems.length > 0 || attributes?.status === "requested") return problems;
  const taken = members.get(`class ${named.id}`) ?? 0;
  members.set(`class ${named.id}`, taken + 1);
  await attempt(() => assertSeat(context, named, taken));
  return problems;
}

async function assertSeat({ actor, db }: WriteContext, { id }: NamedClass, taken: number) {
  const place = { accountId: actor.accountId, classId: id };
  const [own] = await db<{ waits: boolean }[]>`
    select waitlist_enabled as waits from course_classes where account_id = ${actor.accountId} and id = ${id}`;
  if (!own?.waits && (await freeSeats(db, place)) <= taken) throw classFull(AT_CLASS);
}

/** The enrollment that a row made, and its version then. */
interface MadeEnrollment {
  enrollment: string;
  version: number;
}

async function writeAll(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly WrittenRow[]> {
  const wanted = rows.map((one) => readRow(context, one));
  const classes = await classesNamed(context, wanted);
  const written: WrittenRow[] = [];
  for (const one of wanted) {
    const { attributes, personId: id, row } = one;
    const { named, problems } = namedClass(one, classes.get(row));
    if (!named || !attributes) throw new ApiError([...one.problems, ...problems]);
    const result = { row, id, before: null, problems: [] };
    if (named.enrollmentId) {
      written.push({ ...result, action: "skip", version: null, made: null });
      continue;
    }
    const { id: enrollment } = await enrollFromFile(forType(context, courseEnrollments), {
      attributes,
      toOne: { class: named.id, person: id },
      toMany: {},
    });
    const [stored] = await context.db<{ version: number }[]>`
      select version from course_enrollments where account_id = ${context.actor.accountId} and id = ${enrollment}`;
    const version = stored?.version ?? 1;
    written.push({ ...result, action: "create", version, made: { enrollment, version } });
  }
  return written;
}

/** Deletes enrollments that are as the run left them, without attendances and work. The seats pass on. */
async function undoRows(
  context: WriteContext,
  rows: readonly UndoneRow[],
): Promise<ReadonlySet<number>> {
  const { actor, db } = context;
  const { accountId } = actor;
  const made = rows.flatMap(({ made: own, row }) => {
    const one = own as MadeEnrollment | null;
    return one ? [{ row, id: one.enrollment, version: one.version }] : [];
  });
  const same = await db<{ row: number; id: string }[]>`
    select given.row, own.id from jsonb_to_recordset(${json(made)}::text::jsonb) as given (row int, id uuid, version int)
    join course_enrollments own
      on own.account_id = ${accountId} and own.id = given.id and own.version = given.version
    where not exists (select from course_attendances used where used.account_id = ${accountId} and used.enrollment_id = own.id)
      and not exists (select from course_task_completions used where used.account_id = ${accountId} and used.enrollment_id = own.id)
    order by own.class_id, own.id`;
  const enrollments = forType(context, courseEnrollments);
  for (const { id } of same) {
    const { lockedClass } = await lockEnrollment(enrollments, id, "for update");
    await deleteRow(enrollments, enrollments.resource, id, "everything");
    await admitWaiting(enrollments, lockedClass.id);
  }
  return new Set(same.map(({ row }) => row));
}
