import type { Catalogue, Published } from "../../jsonapi/definition/resource.ts";
import type { Importer, Linker } from "../../jsonapi/definition/importer.ts";
import type { Permission } from "../../access/permissions.ts";

/** The kinds of imports, and the function that takes the rows of each. */
const importers = {
  "people": ({ peopleImporter }) => peopleImporter,
  "cell-memberships": ({ cellMembershipImporter }) => cellMembershipImporter,
  "course-enrollments": ({ enrollmentImporter }) => enrollmentImporter,
} as const satisfies Record<string, (published: Published) => Importer>;

export type ImportKind = keyof typeof importers;

export const kinds = Object.keys(importers) as ImportKind[];

export const importerOf = (
  { published }: Pick<Catalogue, "published">,
  { kind }: { kind: ImportKind },
): Importer => importers[kind](published);

/** The linkers whose columns the mapping uses. */
const linkersIn = (
  { published }: Pick<Catalogue, "published">,
  importer: Importer,
  mapping: Readonly<Record<string, string>>,
): Linker[] =>
  importer
    .linkers(published)
    .filter(({ columns }) =>
      Object.values(mapping).some((target) => Object.hasOwn(columns, target)),
    );

/** The permissions for the records that an import writes. */
export const neededFor = (
  catalogue: Pick<Catalogue, "published">,
  job: { kind: ImportKind; mapping: Readonly<Record<string, string>> },
): Permission[] => {
  const importer = importerOf(catalogue, job);
  return [
    ...importer.needs,
    ...linkersIn(catalogue, importer, job.mapping).flatMap(({ needs }) => needs),
  ];
};
