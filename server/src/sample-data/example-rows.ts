import { describedCatalogue } from "../catalogue.ts";
import { exampleId } from "../contract/examples.ts";

/**
 * The rows of the demo account that the examples of the reference name. A reader who logs in can send the examples as they
 * stand. All other rows have other ids in each installation.
 */
const rows: readonly (readonly [type: string, name: string, variant?: number])[] = [
  ["people", "Rita Pereira"],
  ["people", "Niklas Großmann", 1],
  ["people", "Lukas Weber", 2],
  ["people", "Oliver Clarke", 3],
  ["households", "Oliveira"],
  ["tags", "Open to guests"],
  ["courses", "Choir School"],
  ["course-classes", "Next term"],
  ["course-sessions", "Spring 7"],
  ["course-enrollments", "Spring 3"],
  ["course-tasks", "Tell your story"],
  ["cells", "Campo de Ourique"],
  ["cells", "Graça", 1],
  ["cells", "Mouraria", 2],
  ["cells", "Alfama", 3],
  ["cell-memberships", "Belém 3", 1],
  ["forms", "New here?"],
  ["form-submissions", "Best Offers"],
  ["roles", "secretary"],
];

const ids = new Map(
  rows.map(([type, name, variant]) => [
    `${type}/${name}`,
    exampleId(describedCatalogue, type, variant),
  ]),
);

export const exampleRow = (type: string, name: string): string | undefined =>
  ids.get(`${type}/${name}`);
