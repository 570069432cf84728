import { ApiError, fail, notFound, type Problem, problem } from "../../base/errors.ts";
import type { CustomField } from "../../jsonapi/definition/custom-fields.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { staleVersion, updateRow } from "../../jsonapi/sql/write.ts";
import { limits } from "../../base/limits.ts";
import type { AccountFields } from "./fields.ts";
import type { UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";

type Definitions = Record<string, Record<string, CustomField>>;

type Values = UpdateInput<AccountFields>["attributes"];
type Settings = NonNullable<Values["settings"]>;
type Changes = NonNullable<Values["custom-properties"]>;

/**
 * `settings` and `custom-properties` are merged one level deep, so that concurrent changes of different members
 * survive. The row is locked before it is read.
 */
export async function updateAccount(
  context: WriteContext<AccountFields>,
  id: string,
  input: UpdateInput<AccountFields>,
): Promise<Written> {
  const [current] = await context.db<
    { settings: Settings; custom: Definitions; version: number }[]
  >`
    select settings, custom_properties as custom, version from accounts
    where id = ${context.actor.accountId} and id = ${id} for no key update`;
  if (!current) throw notFound();
  if (context.expectedVersion !== undefined && context.expectedVersion !== current.version)
    throw staleVersion();

  const { "custom-properties": custom, settings } = input.attributes;
  const attributes = {
    ...input.attributes,
    ...(settings && { settings: merged(current.settings, settings) }),
    ...(custom && {
      "custom-properties": await mergeDefinitions(context, current.custom, custom),
    }),
  };
  return updateRow(context, context.resource, id, { ...input, attributes });
}

const merged = (current: Settings, changes: Settings): Settings =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null),
  );

async function mergeDefinitions(
  context: WriteContext,
  current: Definitions,
  changes: Changes,
): Promise<Definitions> {
  const next: Definitions = structuredClone(current);
  const problems: Problem[] = [];
  for (const [resource, fields] of Object.entries(changes)) {
    const known = (next[resource] ??= {});
    for (const [name, definition] of Object.entries(fields)) {
      const pointer = `/data/attributes/custom-properties/${resource}/${name}`;
      // A field may be called `constructor`.
      const before = Object.hasOwn(known, name) ? known[name] : undefined;
      if (definition === null) {
        if (before) known[name] = { ...before, archived: true };
        continue;
      }
      if (before && before.type !== definition.type && (await hasValues(context, resource, name)))
        throw fail("custom-property-in-use", `${name} has values of type ${before.type}.`, {
          pointer,
        });
      known[name] = definition;
    }
    if (Object.keys(known).length > limits.customPropertiesPerResource)
      problems.push(
        problem(
          "invalid-attribute",
          { rule: "max-items", limit: limits.customPropertiesPerResource },
          {
            pointer: `/data/attributes/custom-properties/${resource}`,
          },
        ),
      );
  }
  if (problems.length > 0) throw new ApiError(problems);
  return next;
}

async function hasValues(
  { actor, catalogue, db }: WriteContext,
  type: string,
  field: string,
): Promise<boolean> {
  const { table } = definitionOf(catalogue, type);
  const [row] = await db`
    select exists (select 1 from ${db(table)} where account_id = ${actor.accountId}
      and custom_properties <> '{}' and custom_properties ? ${field}) as found`;
  return row?.["found"] === true;
}
