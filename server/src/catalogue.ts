import { randomBytes } from "node:crypto";
import { accounts } from "./features/accounts/definition.ts";
import { cellMemberships, cells } from "./features/cells/definition.ts";
import { courses } from "./features/courses/definition.ts";
import {
  courseClasses,
  courseEnrollments,
  courseLessons,
  courseMaterials,
  courseRequirements,
} from "./features/courses/related.ts";
import { checkCatalogue } from "./jsonapi/definition/check.ts";
import type { Catalogue, Resource } from "./jsonapi/definition/resource.ts";
import { people } from "./features/people/definition.ts";
import { roleAssignments, roles } from "./features/roles/definition.ts";
import { Cipher } from "./store/cipher.ts";
import { webhookDefinitions } from "./webhooks/definitions.ts";
import type { WebhookParts } from "./webhooks/parts.ts";

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
export function catalogueOf(parts: WebhookParts): Catalogue {
  const { commands, resources } = webhookDefinitions(parts);
  return checkCatalogue([...definitions, ...resources], commands);
}

/** For what describes the interface and serves nothing of it: this one's key is gone with the process. */
export const describedCatalogue: Catalogue = catalogueOf({
  cipher: new Cipher([{ id: "described", bytes: () => randomBytes(32) }]),
  judgeHost: async () => "refused",
});
