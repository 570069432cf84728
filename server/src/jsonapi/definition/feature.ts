import type { Assignment } from "../../access/actor.ts";
import type { Permission } from "../../access/permissions.ts";
import type { PresetCode } from "../../access/rights.ts";
import type { ScopeKind, ScopeKinds, Scopes } from "../../access/scopes.ts";
import type { StateMachine } from "../../base/transitions.ts";
import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Queue } from "../../jobs/queues.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Files } from "../../store/files/files.ts";
import { checkCatalogue } from "./check.ts";
import type { Command } from "./command.ts";
import { type Extensions, extendedTypes } from "./extension.ts";
import type { PersonColumns } from "./merge.ts";
import { policyOf } from "./operations.ts";
import type { PublicWrite } from "./public-write.ts";
import type {
  Declared,
  ForgetPerson,
  Published,
  ReadContext,
  Resource,
  WriteContext,
} from "./resource.ts";
import type { WholeCatalogue } from "./whole-catalogue.ts";
import { checkScopes, withFollowingScopes } from "./scopes.ts";

/** The manifest of a feature: the only place that lists what it brings. The catalogue is the list of manifests. */
export interface Feature {
  /** A function if the types depend on the declarations of all features. */
  types?: readonly Resource[] | ((all: Declared) => readonly Resource[]);
  /** The members that the feature adds to types of other features, by type. */
  extends?: Extensions | ((all: Declared) => Extensions);
  commands?: readonly Command[];
  /** The views of its types in the public area. */
  public?: readonly Resource[];
  /** The types that visitors create in the public area. */
  publicWrites?: readonly PublicWrite[];
  permissions?: readonly Permission[];
  /** The kinds of scope in which roles are assigned, beside the whole account and a person's own records. */
  scopes?: Partial<Record<keyof Scopes, ScopeKind>>;
  /** The roles that every account starts with. */
  presetRoles?: readonly { code: PresetCode; name: string; description: string }[];
  /** The permissions of this feature that preset roles have. */
  presets?: Partial<Record<PresetCode, readonly Permission[]>>;
  /** The permissions of every active person: in the whole account, on their own records, or on public rows. */
  everyone?: Partial<Record<Permission, EveryoneScope | readonly EveryoneScope[]>>;
  events?: EventTypes;
  eventExamples?: EventExamples;
  states?: readonly StateMachine[];
  jobs?: readonly Job[];
  queues?: readonly Queue<Services>[];
  /**
   * The columns of the feature's tables that name a person, and the effect of a merge of people on them. Authors
   * (`created_by` and the like, without a foreign key) keep the id and are not listed.
   */
  personColumns?: PersonColumns;
  /** Those of `personColumns` that still name a person who was anonymized. Rows of the others go, as with a deletion. */
  keptColumns?: readonly string[];
  /** Removes the identity of a person from rows that stay after the person is deleted or anonymized. */
  forget?: ForgetPerson;
  /** Functions for other features, which never import this one. */
  published?: Partial<Published>;
  /** Tables that belong to the feature, beside those of its types. Only the feature writes to its tables. */
  tables?: readonly string[];
}

/** The parts of the installation that queued jobs use. */
export interface Services {
  catalogue: WholeCatalogue;
  /** Undefined without outgoing mail. */
  mailer: Mailer | undefined;
  /** The address of the service, with which every link starts. */
  publicUrl: string;
  /** The address at which people log in. */
  appUrl: string;
  files: Files;
  customFieldsOf: ReadContext["customFieldsOf"];
  lockCustomFields: WriteContext["lockCustomFields"];
}

type EveryoneScope = (typeof everyoneScopes)[number];

const everyoneScopes = ["account", "self", "public"] as const;

export function declaredBy(features: readonly Feature[]): Declared {
  const presets = features
    .flatMap((one) => one.presetRoles ?? [])
    .map(({ code }) => [code, features.flatMap((one) => one.presets?.[code] ?? [])] as const);
  return {
    permissions: new Set(features.flatMap((one) => one.permissions ?? [])),
    scopes: new Map(features.flatMap((one) => Object.entries(one.scopes ?? {}))) as ScopeKinds,
    presets: new Map(presets),
    everyone: everyoneScopes.map((scope) => everyoneIn(features, scope)),
    events: Object.assign({}, ...features.map((one) => one.events)) as EventTypes,
    eventExamples: Object.assign({}, ...features.map((one) => one.eventExamples)) as EventExamples,
  };
}

function everyoneIn(features: readonly Feature[], scopeType: EveryoneScope): Assignment {
  const all = features.flatMap((one) => Object.entries(one.everyone ?? {}));
  const permissions = all.flatMap(([permission, scopes]) =>
    [scopes].flat().includes(scopeType) ? [permission] : [],
  );
  return { permissions, scopeType, scopeIds: [] };
}

/** Makes the catalogue, or throws one error that names every contradiction. */
export function catalogueOfFeatures(features: readonly Feature[]): WholeCatalogue {
  const declared = declaredBy(features);
  const definitions = extendedTypes(
    features.flatMap((one) => typesOf(one, declared)),
    features.map(({ extends: added = {} }) =>
      typeof added === "function" ? added(declared) : added,
    ),
  );
  const resources = withFollowingScopes(definitions, declared.scopes);
  const commands = features.flatMap((one) => one.commands ?? []);
  const personColumns = Object.assign(
    {},
    ...features.map((one) => one.personColumns),
  ) as PersonColumns;
  const forgets = features.flatMap((one) => one.forget ?? []);
  const keptColumns = new Set(features.flatMap((one) => one.keptColumns ?? []));
  const published = Object.assign({}, ...features.map((one) => one.published)) as Published;
  const publicTypes = features.flatMap((one) => one.public ?? []);
  const states = features.flatMap((one) => one.states ?? []);
  const checked = checkCatalogue(resources, commands, declared, publicTypes);
  const publicWrites = new Map(
    features.flatMap((one) => one.publicWrites ?? []).map((one) => [one.type, one]),
  );
  const catalogue = {
    ...checked,
    personColumns,
    forgets,
    keptColumns,
    published,
    publicWrites,
    states,
  };
  const mistakes = [
    ...checkFeatures(features, declared),
    ...checkUsed(catalogue),
    ...checkScopes(definitions, declared.scopes),
  ];
  if (mistakes.length > 0)
    throw new Error(`The manifests contradict themselves:\n  ${mistakes.join("\n  ")}`);
  return catalogue;
}

export const typesOf = ({ types = [] }: Feature, declared: Declared): readonly Resource[] =>
  typeof types === "function" ? types(declared) : types;

function* checkFeatures(features: readonly Feature[], declared: Declared): Generator<string> {
  for (const { everyone = {}, permissions = [], presets = {} } of features)
    for (const one of [...Object.keys(everyone), ...Object.values(presets).flat()])
      if (!permissions.some((own) => own === one))
        yield `A manifest grants ${one}, a permission it does not declare.`;
  for (const type of Object.keys(declared.events)) {
    const [subject = ""] = type.split(".");
    if (!declared.eventExamples[subject]) yield `${type} has no example of a ${subject}.`;
  }
  for (const name of [
    ...repeated(features.flatMap((one) => [...(one.permissions ?? [])])),
    ...repeated(features.flatMap((one) => (one.presetRoles ?? []).map(({ code }) => code))),
    ...repeated(features.flatMap((one) => Object.keys(one.scopes ?? {}))),
    ...repeated(features.flatMap((one) => Object.keys(one.events ?? {}))),
    ...repeated(features.flatMap((one) => Object.keys(one.personColumns ?? {}))),
  ])
    yield `${name} is declared twice.`;
}

/** Every permission in use is declared by a manifest. Without that no role could contain it. */
function* checkUsed({ commands, declared, resources }: WholeCatalogue): Generator<string> {
  const used = (resource: Resource): (string | undefined)[] => [
    ...Object.values(resource.operations).flatMap(permissionsOf),
    ...Object.values(resource.files ?? {}).flatMap(permissionsOf),
    resource.reduced?.fullWith,
    ...Object.values(resource.filters).map(({ needs }) => needs),
    // Access to custom fields can be limited to `staff`.
    resource.customProperties && `${resource.type}:write`,
    ...Object.values(resource.attributes).flatMap(
      ({ alsoWritableWith = [], readableWith, writableWith }) => [
        readableWith,
        ...alsoWritableWith,
        ...(writableWith ? permissionsOf(writableWith) : []),
      ],
    ),
  ];
  const known: ReadonlySet<string> = declared.permissions;
  for (const resource of resources.values())
    for (const permission of used(resource))
      if (permission !== undefined && !known.has(permission))
        yield `${resource.type} requires ${permission}, which no manifest declares.`;
  for (const command of commands.values())
    for (const permission of permissionsOf(command))
      if (!known.has(permission))
        yield `${command.type} requires ${permission}, which no manifest declares.`;
}

const permissionsOf = (operation: Parameters<typeof policyOf>[0]): readonly string[] => {
  const policy = policyOf(operation);
  return policy.kind === "permission" ? policy.permissions : [];
};

const repeated = (names: readonly string[]): string[] =>
  names.filter((name, position) => names.indexOf(name) < position);
