import type { Rights } from "../../access/preset-roles.ts";
import { limits } from "../../base/limits.ts";
import { type Catalogue, type Command, membersOf, policyOf, type Resource } from "./resource.ts";

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Names JSON:API reserves in a resource object: a member of this name could not be told from them. */
const isName = (name: string): boolean => NAME.test(name) && name !== "id" && name !== "type";

/**
 * Makes a catalogue of definitions, or throws one error that names every contradiction with its type and member. What
 * only the database can tell (are the columns there?) is asked by a test.
 */
export function checkCatalogue(
  definitions: readonly Resource[],
  commanded: readonly Command[] = [],
  rights: Rights = { permissions: new Set(), presets: new Map(), everyone: [] },
): Catalogue {
  const resources = new Map(definitions.map((of) => [of.type, of]));
  const commands = new Map(commanded.map((one) => [one.type, one]));
  const catalogue: Catalogue = { resources, commands, rights };
  const mistakes: string[] = [];
  const types = [...definitions, ...commanded].map(({ type }) => type);
  for (const type of new Set(types))
    if (types.indexOf(type) < types.lastIndexOf(type)) mistakes.push(`${type} is defined twice.`);
  for (const of of definitions) mistakes.push(...checkResource(of, catalogue));
  for (const of of commanded) mistakes.push(...checkCommand(of, catalogue));
  if (mistakes.length > 0)
    throw new Error(`The definitions contradict themselves:\n  ${mistakes.join("\n  ")}`);
  return catalogue;
}

/** What resources and commands have in common. */
function* checkMembers(of: Resource | Command, { resources }: Catalogue): Generator<string> {
  if (!NAME.test(of.type)) yield `${of.type} is not a name of the interface.`;
  const names = membersOf(of);
  for (const name of new Set(names)) {
    if (!isName(name)) yield `${of.type}.${name} is not a name of the interface.`;
    if (names.indexOf(name) < names.lastIndexOf(name)) yield `${of.type}.${name} is two things.`;
  }
  for (const [name, { target }] of Object.entries(of.relationships)) {
    const to = resources.get(target);
    if (!to) yield `${of.type}.${name} leads to ${target}, which is not defined.`;
    // It would show each of them to callers who may not ask for it.
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
      yield `${of.type}.${name} is ${mode}, but nothing keeps what a command is sent.`;
}

function* checkResource(of: Resource, catalogue: Catalogue): Generator<string> {
  yield* checkMembers(of, catalogue);
  for (const [name, attribute] of Object.entries(of.attributes)) {
    if (attribute.mode === "required" && attribute.nullable)
      yield `${of.type}.${name} is required and may be null.`;
    if (attribute.writableWith && attribute.mode === "read-only")
      yield `${of.type}.${name} is read-only and says who may write it.`;
    if (attribute.selfEditable && attribute.writableWith)
      yield `${of.type}.${name} is self-editable and kept from others.`;
    if (attribute.detailOnly && attribute.onRequest)
      yield `${of.type}.${name} is in every detail and only on request.`;
    if ((attribute.detailOnly || attribute.onRequest) && attribute.readableWith)
      yield `${of.type}.${name} is kept from some, which only what is always read can be.`;
  }
  for (const [name, relationship] of Object.entries(of.relationships)) {
    if (relationship.kind === "to-many" && relationship.writable && relationship.to === "id")
      yield `${of.type}.${name} is written through the rows it leads to.`;
    if (relationship.writable && !of.operations.create && !of.operations.update)
      yield `${of.type}.${name} is writable, but nothing writes ${of.type}.`;
    if (relationship.writable && of.operations.update && of.versionTag !== undefined)
      yield `${of.type}.${name} is writable by a route that asks for no version.`;
  }
  const { create, update, delete: remove } = of.operations;
  if (of.unversioned && (of.versionTag !== undefined || create || update || remove))
    yield `${of.type} counts no versions, but is written or tagged by them.`;
  if (of.versionTag !== undefined && !NAME.test(of.versionTag))
    yield `${of.type} has the version tag ${of.versionTag}, which is no name.`;
  if (of.pageSize !== undefined && (of.pageSize < 1 || of.pageSize > limits.pageSizeMax))
    yield `${of.type} has pages of ${of.pageSize}.`;
  if (of.operations.list && !of.operations.read) yield `${of.type} can be listed but not read.`;
  if (of.customProperties && !Object.hasOwn(of.attributes, "custom-properties"))
    yield `${of.type} has fields of the church's own and no attribute to hold them.`;
  for (const operation of Object.values(of.operations)) {
    const policy = policyOf(operation);
    if (policy.kind === "permission" && !policy.permission.startsWith(`${of.type}:`))
      yield `${of.type} asks for ${policy.permission}, a permission of something else.`;
  }
  const sort = of.defaultSort.replace(/^-/, "");
  if (sort !== "id" && !Object.hasOwn(of.sorts, sort))
    yield `${of.type} sorts by ${sort}, which it cannot.`;
  for (const [name, filter] of Object.entries(of.filters))
    if ("values" in filter && filter.values.length === 0)
      yield `${of.type} has a filter ${name} that nothing matches.`;
}
