import { limits } from "../../base/limits.ts";
import { isPublic } from "./public.ts";
import { targetTypes } from "./relationships.ts";
import {
  type Catalogue,
  type Command,
  computedListOf,
  type Declared,
  membersOf,
  placesOf,
  type Published,
  type Resource,
} from "./resource.ts";

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** JSON:API reserves `id` and `type` in a resource object. */
const isName = (name: string): boolean => NAME.test(name) && name !== "id" && name !== "type";

const nothing: Declared = {
  permissions: new Set(),
  scopes: new Map(),
  presets: new Map(),
  everyone: [],
  events: {},
  eventExamples: {},
};

/**
 * Makes a catalogue of definitions, or throws one error that names every contradiction with its type and member. A test
 * compares the definitions with the columns of the database.
 */
export function checkCatalogue(
  definitions: readonly Resource[],
  commanded: readonly Command[] = [],
  declared: Declared = nothing,
  publicDefinitions: readonly Resource[] = [],
): Catalogue {
  const resources = new Map(definitions.map((of) => [of.type, of]));
  const commands = new Map(commanded.map((one) => [one.type, one]));
  const own = { personColumns: {}, published: {} as Published, states: [] };
  const publicTypes = new Map(publicDefinitions.map((of) => [of.type, of]));
  const catalogue: Catalogue = { resources, commands, publicTypes, declared, ...own };
  const mistakes: string[] = [];
  const types = [...definitions, ...commanded].map(({ type }) => type);
  for (const type of new Set(types))
    if (types.indexOf(type) < types.lastIndexOf(type)) mistakes.push(`${type} is defined twice.`);
  for (const of of definitions) {
    mistakes.push(...checkResource(of, catalogue));
    if (isPublic(of)) mistakes.push(`${of.type} is public, but not in the public area.`);
  }
  for (const of of publicDefinitions) mistakes.push(...checkPublicType(of, catalogue));
  for (const of of commanded) mistakes.push(...checkCommand(of, catalogue));
  if (mistakes.length > 0)
    throw new Error(`The definitions contradict themselves:\n  ${mistakes.join("\n  ")}`);
  return catalogue;
}

/** Checks the members that resources and commands have in common. */
function* checkMembers(of: Resource | Command, { resources }: Catalogue): Generator<string> {
  if (!NAME.test(of.type)) yield `${of.type} is not a valid name.`;
  const names = membersOf(of);
  for (const name of new Set(names)) {
    if (!isName(name)) yield `${of.type}.${name} is not a valid name.`;
    if (names.indexOf(name) < names.lastIndexOf(name))
      yield `${of.type}.${name} is declared twice.`;
  }
  for (const [name, relationship] of Object.entries(of.relationships))
    for (const target of targetTypes(relationship)) {
      const to = resources.get(target);
      if (!to) yield `${of.type}.${name} leads to ${target}, which is not defined.`;
      // The linkage would show ids to callers who may not read the target.
      else if (to.callers !== of.callers)
        yield `${of.type}.${name} leads to ${target}, which has other callers.`;
    }
}

function* checkCommand(of: Command, catalogue: Catalogue): Generator<string> {
  yield* checkMembers(of, catalogue);
  const answers = catalogue.resources.get(of.answers);
  if (!answers?.operations.read) yield `${of.type} answers ${of.answers}, which cannot be read.`;
  else if (answers.callers !== of.callers)
    yield `${of.type} answers ${of.answers}, which has other callers.`;
  for (const [name, { mode }] of Object.entries(of.attributes))
    if (mode !== "required" && mode !== "optional")
      yield `${of.type}.${name} is ${mode}, but a command stores no attributes.`;
}

function* checkPublicType(of: Resource, catalogue: Catalogue): Generator<string> {
  for (const mistake of checkResource(of, catalogue)) yield `In the public area, ${mistake}`;
  if (!catalogue.resources.has(of.type)) yield `The public type ${of.type} is no type of /v1.`;
}

function* checkResource(of: Resource, catalogue: Catalogue): Generator<string> {
  yield* checkMembers(of, catalogue);
  const usesPlace = Object.values(of.sorts).some(({ needsPlace }) => needsPlace);
  if (usesPlace && !of.nearby)
    yield `${of.type} sorts by distance, but is not \`nearby\` anything.`;
  for (const [name, attribute] of Object.entries(of.attributes)) {
    if (attribute.mode === "required" && attribute.nullable)
      yield `${of.type}.${name} is both required and nullable.`;
    if (attribute.writableWith && attribute.mode === "read-only")
      yield `${of.type}.${name} is read-only but has writableWith.`;
    if (attribute.selfEditable && attribute.writableWith)
      yield `${of.type}.${name} has both selfEditable and writableWith.`;
    if (attribute.detailOnly && attribute.onRequest)
      yield `${of.type}.${name} has both detailOnly and onRequest.`;
    if ((attribute.detailOnly || attribute.onRequest) && attribute.readableWith)
      yield `${of.type}.${name} has readableWith, which needs an attribute that is always read.`;
  }
  for (const [name, { mode, writeOnly }] of Object.entries(of.attributes)) {
    if (!writeOnly) continue;
    if (mode === "read-only") yield `${of.type}.${name} is both read-only and write-only.`;
    for (const verb of ["create", "update"] as const) {
      const operation = of.operations[verb];
      if (operation && !("run" in operation))
        yield `${of.type}.${name} is write-only, but the derived ${verb} would ignore it.`;
    }
  }
  for (const [name, relationship] of Object.entries(of.relationships)) {
    if (relationship.kind === "to-many" && relationship.writable && relationship.to === "id")
      yield `${of.type}.${name} is writable, but its table is the target's own.`;
    if (relationship.writable && !of.operations.create && !of.operations.update)
      yield `${of.type}.${name} is writable, but nothing writes ${of.type}.`;
    if (relationship.writable && of.operations.update && of.versionTag !== undefined)
      yield `${of.type}.${name} is writable by a route that does not require If-Match.`;
  }
  for (const [name, { creates }] of Object.entries(of.files ?? {}))
    if (creates !== undefined && !catalogue.resources.get(creates)?.operations.read)
      yield `${of.type}.${name} creates ${creates}, which cannot be read.`;
  const { create, update, delete: remove } = of.operations;
  if (of.unversioned && (of.versionTag !== undefined || create || update || remove))
    yield `${of.type} is unversioned but has a versionTag or a write operation.`;
  if (of.versionTag !== undefined && !NAME.test(of.versionTag))
    yield `${of.type} has the invalid versionTag ${of.versionTag}.`;
  if (of.pageSize !== undefined && (of.pageSize < 1 || of.pageSize > limits.pageSizeMax))
    yield `${of.type} has the invalid pageSize ${of.pageSize}.`;
  if (of.operations.list && !of.operations.read && !computedListOf(of))
    yield `${of.type} can be listed but not read.`;
  if (of.customProperties && !Object.hasOwn(of.attributes, "custom-properties"))
    yield `${of.type} has customProperties but no attribute custom-properties.`;
  for (const place of placesOf(of))
    if (of.relationships[place]?.kind !== "to-one")
      yield `${of.type} has the place ${place}, which is no to-one relationship.`;
  for (const name of of.reduced?.members ?? [])
    if (!membersOf(of).includes(name))
      yield `${of.type} has a reduced view with the unknown member ${name}.`;
  for (const name of of.reduced?.filters ?? [])
    if (!Object.hasOwn(of.filters, name))
      yield `${of.type} has a reduced view with the unknown filter ${name}.`;
  const sort = of.defaultSort.replace(/^-/, "");
  if (sort !== "id" && !Object.hasOwn(of.sorts, sort))
    yield `${of.type} has the unknown defaultSort ${sort}.`;
  for (const [name, filter] of Object.entries(of.filters))
    if ("values" in filter && filter.values.length === 0)
      yield `${of.type} has a filter ${name} without values.`;
  for (const [name, { among }] of Object.entries(of.filters))
    if (among !== undefined && !catalogue.resources.has(among))
      yield `${of.type} has a filter ${name} among ${among}, which is not defined.`;
}
