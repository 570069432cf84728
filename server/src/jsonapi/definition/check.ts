import { isCondition } from "../../access/reach.ts";
import { limits } from "../../base/limits.ts";
import { actionsOf } from "./actions.ts";
import type { Command } from "./command.ts";
import { membersOf, placesOf } from "./members.ts";
import { computedListOf } from "./operations.ts";
import type { PublicWrite } from "./public-write.ts";
import { isPublic } from "./public.ts";
import { targetTypes } from "./relationships.ts";
import type { Catalogue, Declared, Published, Resource } from "./resource.ts";
import type { WholeCatalogue } from "./whole-catalogue.ts";

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
): WholeCatalogue {
  const resources = new Map(definitions.map((resource) => [resource.type, resource]));
  const commands = new Map(commanded.map((one) => [one.type, one]));
  const own = {
    personColumns: {},
    forgets: [],
    keptColumns: new Set<string>(),
    published: {} as Published,
    publicWrites: new Map<string, PublicWrite>(),
    states: [],
  };
  const publicTypes = new Map(publicDefinitions.map((resource) => [resource.type, resource]));
  const catalogue: WholeCatalogue = { resources, commands, publicTypes, declared, ...own };
  const mistakes: string[] = [];
  const types = [...definitions, ...commanded].map(({ type }) => type);
  for (const type of new Set(types))
    if (types.indexOf(type) < types.lastIndexOf(type)) mistakes.push(`${type} is defined twice.`);
  for (const resource of definitions) {
    mistakes.push(...checkResource(resource, catalogue));
    if (isPublic(resource))
      mistakes.push(`${resource.type} is public, but not in the public area.`);
  }
  for (const resource of publicDefinitions) mistakes.push(...checkPublicType(resource, catalogue));
  for (const resource of commanded) mistakes.push(...checkCommand(resource, catalogue));
  if (mistakes.length > 0)
    throw new Error(`The definitions contradict themselves:\n  ${mistakes.join("\n  ")}`);
  return catalogue;
}

/** Checks the members that resources and commands have in common. */
function* assertMembers(resource: Resource | Command, { resources }: Catalogue): Generator<string> {
  if (!NAME.test(resource.type)) yield `${resource.type} is not a valid name.`;
  const names = membersOf(resource);
  for (const name of new Set(names)) {
    if (!isName(name)) yield `${resource.type}.${name} is not a valid name.`;
    if (names.indexOf(name) < names.lastIndexOf(name))
      yield `${resource.type}.${name} is declared twice.`;
  }
  for (const [name, relationship] of Object.entries(resource.relationships))
    for (const target of targetTypes(relationship)) {
      const to = resources.get(target);
      if (!to) yield `${resource.type}.${name} leads to ${target}, which is not defined.`;
      // The linkage would show ids to callers who may not read the target.
      else if (to.callers !== resource.callers)
        yield `${resource.type}.${name} leads to ${target}, which has other callers.`;
    }
}

function* checkCommand(resource: Command, catalogue: Catalogue): Generator<string> {
  yield* assertMembers(resource, catalogue);
  const answers = catalogue.resources.get(resource.answers);
  if (!answers?.operations.read)
    yield `${resource.type} answers ${resource.answers}, which cannot be read.`;
  else if (answers.callers !== resource.callers)
    yield `${resource.type} answers ${resource.answers}, which has other callers.`;
  for (const [name, { mode }] of Object.entries(resource.attributes))
    if (mode !== "required" && mode !== "optional")
      yield `${resource.type}.${name} is ${mode}, but a command stores no attributes.`;
}

function* checkPublicType(resource: Resource, catalogue: Catalogue): Generator<string> {
  for (const mistake of checkResource(resource, catalogue)) yield `In the public area, ${mistake}`;
  if (!catalogue.resources.has(resource.type))
    yield `The public type ${resource.type} is no type of /v1.`;
}

/** The rules of `meta.may` are about members that exist, and about errors that the operation documents. */
function* checkRules({
  actions,
  constraints = {},
  operations,
  ...resource
}: Resource): Generator<string> {
  const { create, delete: remove, update } = operations;
  if (update && "run" in update)
    for (const name of Object.keys(update.changesIf ?? {}))
      if (!membersOf(resource).includes(name))
        yield `${resource.type} has a rule for changes of the unknown member ${name}.`;
  for (const [name, { sets = {} }] of Object.entries(actions ?? {}))
    for (const member of Object.keys(sets))
      if (!Object.hasOwn(resource.attributes, member))
        yield `${resource.type} has the action ${name}, which sets the unknown attribute ${member}.`;
  for (const name of create && "run" in create ? Object.keys(create.actsOn ?? {}) : [])
    if (!Object.hasOwn(resource.relationships, name))
      yield `${resource.type} acts on the unknown relationship ${name}.`;
  for (const operation of [update, remove]) {
    if (!operation || !("run" in operation)) continue;
    const documented: string[] = [
      ...(operation.refuses ?? []),
      ...Object.values(constraints).flatMap(({ code }) => code ?? []),
    ];
    for (const code of Object.keys(operation.refusedIf ?? {}))
      if (!documented.includes(code))
        yield `${resource.type} has a rule for ${code}, which no operation refuses with.`;
  }
}

/** No two actions of a type have the same name. */
function* checkActions(resource: Resource, catalogue: Catalogue): Generator<string> {
  const names = actionsOf(catalogue, resource).map(({ name }) => name);
  for (const name of new Set(names))
    if (names.indexOf(name) < names.lastIndexOf(name))
      yield `${resource.type} has two actions named ${name}.`;
}

function* checkResource(resource: Resource, catalogue: Catalogue): Generator<string> {
  yield* assertMembers(resource, catalogue);
  yield* checkRules(resource);
  yield* checkActions(resource, catalogue);
  const usesPlace = Object.values(resource.sorts).some(({ needsPlace }) => needsPlace);
  if (usesPlace && !resource.nearby)
    yield `${resource.type} sorts by distance, but is not \`nearby\` anything.`;
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    if (attribute.mode === "required" && attribute.nullable)
      yield `${resource.type}.${name} is both required and nullable.`;
    if (attribute.writableWith && attribute.mode === "read-only")
      yield `${resource.type}.${name} is read-only but has writableWith.`;
    if (attribute.selfEditable && attribute.writableWith)
      yield `${resource.type}.${name} has both selfEditable and writableWith.`;
    if (attribute.detailOnly && attribute.onRequest)
      yield `${resource.type}.${name} has both detailOnly and onRequest.`;
    if ((attribute.detailOnly || attribute.onRequest) && attribute.readableWith)
      yield `${resource.type}.${name} has readableWith, which needs an attribute that is always read.`;
  }
  for (const [name, { mode, writeOnly }] of Object.entries(resource.attributes)) {
    if (!writeOnly) continue;
    if (mode === "read-only") yield `${resource.type}.${name} is both read-only and write-only.`;
    for (const verb of ["create", "update"] as const) {
      const operation = resource.operations[verb];
      if (operation && !("run" in operation))
        yield `${resource.type}.${name} is write-only, but the derived ${verb} would ignore it.`;
    }
  }
  for (const [name, relationship] of Object.entries(resource.relationships)) {
    if (relationship.kind === "to-many" && relationship.writable && relationship.to === "id")
      yield `${resource.type}.${name} is writable, but its table is the target's own.`;
    if (relationship.writable && !resource.operations.create && !resource.operations.update)
      yield `${resource.type}.${name} is writable, but nothing writes ${resource.type}.`;
    if (relationship.writable && resource.operations.update && resource.versionTag !== undefined)
      yield `${resource.type}.${name} is writable by a route that does not require If-Match.`;
  }
  for (const [name, { creates }] of Object.entries(resource.files ?? {}))
    if (creates !== undefined && !catalogue.resources.get(creates)?.operations.read)
      yield `${resource.type}.${name} creates ${creates}, which cannot be read.`;
  const { create, update, delete: remove } = resource.operations;
  if (resource.unversioned && (resource.versionTag !== undefined || create || update || remove))
    yield `${resource.type} is unversioned but has a versionTag or a write operation.`;
  if (resource.versionTag !== undefined && !NAME.test(resource.versionTag))
    yield `${resource.type} has the invalid versionTag ${resource.versionTag}.`;
  if (
    resource.pageSize !== undefined &&
    (resource.pageSize < 1 || resource.pageSize > (resource.pageSizeMax ?? limits.pageSizeMax))
  )
    yield `${resource.type} has the invalid pageSize ${resource.pageSize}.`;
  if (resource.operations.list && !resource.operations.read && !computedListOf(resource))
    yield `${resource.type} can be listed but not read.`;
  if (resource.customProperties && !Object.hasOwn(resource.attributes, "custom-properties"))
    yield `${resource.type} has customProperties but no attribute custom-properties.`;
  for (const place of placesOf(resource))
    if (resource.relationships[place]?.kind !== "to-one")
      yield `${resource.type} has the place ${place}, which is no to-one relationship.`;
  const { filters = [], members = [], names, namesFilters = [] } = resource.reduced ?? {};
  for (const name of members)
    if (!membersOf(resource).includes(name))
      yield `${resource.type} has a reduced view with the unknown member ${name}.`;
  for (const name of names ?? [])
    if (!members.includes(name))
      yield `${resource.type} shows the name ${name}, which is no member of its reduced view.`;
  const paths = Object.values(resource.reach ?? {}).flatMap((one) => [one].flat());
  if (names === undefined && paths.some((path) => !isCondition(path) && path.onlyNames))
    yield `${resource.type} has a path that shows names alone, and no names.`;
  for (const name of [...filters, ...namesFilters])
    if (!Object.hasOwn(resource.filters, name))
      yield `${resource.type} has a reduced view with the unknown filter ${name}.`;
  for (const [name, { member }] of Object.entries(resource.sorts))
    if (member !== undefined && !membersOf(resource).includes(member))
      yield `${resource.type} sorts by ${name} of the unknown member ${member}.`;
  const sort = resource.defaultSort.replace(/^-/, "");
  if (sort !== "id" && !Object.hasOwn(resource.sorts, sort))
    yield `${resource.type} has the unknown defaultSort ${sort}.`;
  for (const [name, filter] of Object.entries(resource.filters))
    if ("values" in filter && filter.values.length === 0)
      yield `${resource.type} has a filter ${name} without values.`;
  for (const [name, filter] of Object.entries(resource.filters))
    if ("other" in filter && !Object.hasOwn(resource.filters, filter.other))
      yield `${resource.type} has a filter ${name} with the unknown other end ${filter.other}.`;
  for (const [name, { among }] of Object.entries(resource.filters))
    if (among !== undefined && !catalogue.resources.has(among))
      yield `${resource.type} has a filter ${name} among ${among}, which is not defined.`;
}
