import { accounts } from "../accounts/definition.ts";
import { cellMemberships, cells } from "../cells/definition.ts";
import { courses } from "../courses/definition.ts";
import {
  courseClasses,
  courseEnrollments,
  courseLessons,
  courseMaterials,
  courseRequirements,
} from "../courses/related.ts";
import { checkCatalogue } from "../jsonapi/check.ts";
import type { Catalogue, Resource } from "../jsonapi/resource.ts";
import { people } from "../people/definition.ts";
import { roleAssignments, roles } from "../roles/definition.ts";

const definitions: readonly Resource[] = [
  accounts,
  people,
  courses,
  courseLessons,
  courseClasses,
  courseMaterials,
  courseRequirements,
  courseEnrollments,
  cells,
  cellMemberships,
  roles,
  roleAssignments,
];

/** Every type of the interface. Definitions that contradict themselves or each other stop the start here. */
export const catalogue: Catalogue = checkCatalogue(definitions);
