import { ApiError, notAllowedHere, type Problem, problem } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { list, optional } from "../../jsonapi/definition/attributes.ts";
import type {
  Findings,
  Linker,
  LinkRow,
  Made,
  MadeLink,
  WrittenLink,
} from "../../jsonapi/definition/importer.ts";
import { named } from "../../jsonapi/definition/names.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { idsNamed, usedAmong } from "../../jsonapi/sql/named.ts";
import { insertRows, touchRows } from "../../jsonapi/sql/write.ts";
import { json } from "../../store/sql.ts";

/** The tags that a row added to its person, and those that it created. */
interface MadeTags extends Made {
  added: readonly string[];
  created: readonly string[];
}

/** The column `tag` of an import of people. Tags that do not exist are created for people. */
export const tagLinker: Linker = {
  name: "tag",
  needs: ["tags:write"],
  columns: { tag: optional(list(named(60), { maxItems: limits.tagsPerRecordMax })) },
  personColumns: ["person_tags.person_id"],
  plan: planTags,
  write: writeTags,
  changed: changedTags,
  undo: undoTags,
};

const tagsOf = ({ catalogue }: WriteContext) => definitionOf(catalogue, "tags");

const peopleOf = ({ catalogue }: WriteContext) => definitionOf(catalogue, "people");

const namesOf = ({ values }: LinkRow) => values["tag"] as readonly string[];

/** The tags that the rows name, those that fit people, and the tags that the people have. */
async function currentLinks(context: WriteContext, rows: readonly LinkRow[]) {
  const { actor, db } = context;
  const known = await idsNamed(context, tagsOf(context), rows.flatMap(namesOf));
  const ids = [...known.values()].flatMap((one) => one.ids);
  const unfit = await db<{ id: string }[]>`
    select id from tags
    where account_id = ${actor.accountId} and id = any(${ids}::uuid[]) and not 'people' = any(applies_to)`;
  const tagged = await db<{ personId: string; tagId: string }[]>`
    select person_id as "personId", tag_id as "tagId" from person_tags
    where account_id = ${actor.accountId}
      and person_id = any(${rows.flatMap(({ personId }) => personId ?? [])}::uuid[])`;
  return {
    known,
    unfit: new Set(unfit.map(({ id }) => id)),
    tagged: new Map(
      [...Map.groupBy(tagged, ({ personId }) => personId)].map(([personId, tags]) => [
        personId,
        new Set(tags.map(({ tagId }) => tagId)),
      ]),
    ),
  };
}

type CurrentLinks = Awaited<ReturnType<typeof currentLinks>>;

async function planTags(
  context: WriteContext,
  rows: readonly LinkRow[],
): Promise<ReadonlyMap<number, Findings>> {
  const found = await currentLinks(context, rows);
  return new Map(
    rows.map((one) => [one.row, { problems: problemsOf(found, one), warnings: [] }] as const),
  );
}

function problemsOf({ tagged, known, unfit }: CurrentLinks, row: LinkRow): Problem[] {
  const problems: Problem[] = [];
  const tags = new Set(tagged.get(row.personId ?? ""));
  for (const name of namesOf(row)) {
    const { ids, key } = known.get(name) ?? { ids: [], key: "" };
    const [id] = ids;
    if (ids.length > 1)
      problems.push(problem("conflict", `${ids.length} tags are named ${name}. Rename them.`));
    else if (id !== undefined && unfit.has(id) && !tags.has(id))
      problems.push(
        problem(
          "invalid-relationship",
          notAllowedHere(`The tag ${name} does not apply to people.`),
        ),
      );
    tags.add(id ?? key);
  }
  if (tags.size > limits.tagsPerRecordMax)
    problems.push(
      problem("limit-reached", `A person has at most ${limits.tagsPerRecordMax} tags.`),
    );
  return problems;
}

async function writeTags(
  context: WriteContext,
  rows: readonly WrittenLink[],
): Promise<ReadonlyMap<number, Made>> {
  const found = await currentLinks(context, rows);
  for (const one of rows) {
    const wrong = problemsOf(found, one);
    if (wrong.length > 0) throw new ApiError(wrong);
  }
  const made = new Map<number, MadeTags>();
  const ids = new Map<string, string>();
  for (const {
    ids: [id],
    key,
  } of found.known.values())
    if (id !== undefined) ids.set(key, id);
  for (const one of rows) {
    const created: string[] = [];
    for (const name of namesOf(one)) {
      const key = found.known.get(name)?.key ?? "";
      if (ids.has(key)) continue;
      ids.set(key, await createTag(context, name));
      created.push(ids.get(key) ?? "");
    }
    const wanted = namesOf(one).map((name) => ids.get(found.known.get(name)?.key ?? "") ?? "");
    const tagged = found.tagged.get(one.personId);
    const added = [...new Set(wanted)].filter((id) => !tagged?.has(id));
    if (added.length > 0) made.set(one.row, { added, created });
  }
  await addTags(context, rows, made);
  return made;
}

async function createTag(context: WriteContext, name: string): Promise<string> {
  const resource = tagsOf(context);
  const attributes = { "name": name, "applies-to": ["people"] };
  const [id = ""] = await insertRows({ ...context, resource }, resource, [
    { input: { attributes, toOne: {}, toMany: {} } },
  ]);
  return id;
}

/** A person who was there before changes with the tags. A new person begins with them. */
async function addTags(
  context: WriteContext,
  rows: readonly WrittenLink[],
  made: ReadonlyMap<number, MadeTags>,
): Promise<void> {
  const { actor, db } = context;
  const links = rows.flatMap(({ personId, row }) =>
    (made.get(row)?.added ?? []).map((tag) => ({ person: personId, tag })),
  );
  await db`
    insert into person_tags (account_id, person_id, tag_id)
    select ${actor.accountId}, link.person, link.tag
    from jsonb_to_recordset(${json(links)}::text::jsonb) as link (person uuid, tag uuid)
    order by link.person, link.tag`;
  const changed = rows.flatMap(({ isNew, personId, row }) =>
    !isNew && made.has(row) ? personId : [],
  );
  await touchRows(context, peopleOf(context), changed, ["tags"]);
}

async function changedTags(
  { actor, db }: WriteContext,
  rows: readonly MadeLink[],
): Promise<ReadonlySet<number>> {
  const given = rows.map(({ isNew, made, personId, row }) => ({
    row,
    person: personId,
    is_new: isNew,
    added: (made as MadeTags | undefined)?.added ?? [],
  }));
  const changed = await db<{ row: number }[]>`
    select given.row from jsonb_to_recordset(${json(given)}::text::jsonb)
      as given (row int, person uuid, is_new boolean, added uuid[])
    where is_new and exists (
      select from person_tags where account_id = ${actor.accountId} and person_id = given.person
        and not tag_id = any(given.added))`;
  return new Set(changed.map(({ row }) => row));
}

/** Removes the tags from their people, and deletes those that the import created and nothing else uses. */
async function undoTags(context: WriteContext, rows: readonly MadeLink[]): Promise<void> {
  const { actor, db } = context;
  const made = rows.map(({ made: tags, ...one }) => ({
    ...one,
    ...(tags as MadeTags),
  }));
  const links = made.flatMap(({ added, personId }) =>
    added.map((tag) => ({ person: personId, tag })),
  );
  const removed = await db<{ personId: string }[]>`
    delete from person_tags using jsonb_to_recordset(${json(links)}::text::jsonb) as link (person uuid, tag uuid)
    where account_id = ${actor.accountId} and person_id = link.person and tag_id = link.tag
    returning person_id as "personId"`;
  const losing = new Set(removed.map(({ personId }) => personId));
  const changed = made.flatMap(({ isNew, personId }) =>
    !isNew && losing.has(personId) ? personId : [],
  );
  await touchRows(context, peopleOf(context), changed, ["tags"]);
  const created = made.flatMap((one) => one.created);
  const used = await usedAmong(context, "tags", created);
  await db`
    delete from tags where account_id = ${actor.accountId} and version = 1
      and id = any(${created.filter((id) => !used.has(id))}::uuid[])`;
}
