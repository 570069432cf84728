import { randomBytes } from "node:crypto";
import { accountsFeature } from "./features/accounts/feature.ts";
import { cellsFeature } from "./features/cells/feature.ts";
import { coursesFeature } from "./features/courses/feature.ts";
import { formsFeature } from "./features/forms/feature.ts";
import { householdsFeature } from "./features/households/feature.ts";
import { importsFeature } from "./features/imports/feature.ts";
import { journalFeature } from "./features/journal/feature.ts";
import { notesFeature } from "./features/notes/feature.ts";
import { peopleFeature } from "./features/people/feature.ts";
import { rolesFeature } from "./features/roles/feature.ts";
import { signInFeature } from "./features/sign-in/feature.ts";
import { tagsFeature } from "./features/tags/feature.ts";
import { visitorsFeature } from "./features/visitors/feature.ts";
import type { Job } from "./jobs/jobs.ts";
import { catalogueOfFeatures, type Feature } from "./jsonapi/definition/feature.ts";
import type { WholeCatalogue } from "./jsonapi/definition/whole-catalogue.ts";
import { fileRemovals, filesJob, fileSweepJob, fileSweeps } from "./jsonapi/sql/files.ts";
import { idempotencyKeysJob } from "./jsonapi/request/idempotency.ts";
import { Cipher } from "./store/cipher.ts";
import { sweepCounters } from "./store/counters.ts";
import { type WebhookParts, webhookJobs, webhooksFeature } from "./webhooks/index.ts";

export const features: readonly Feature[] = [
  accountsFeature,
  peopleFeature,
  householdsFeature,
  tagsFeature,
  coursesFeature,
  cellsFeature,
  formsFeature,
  notesFeature,
  importsFeature,
  rolesFeature,
  signInFeature,
  visitorsFeature,
  journalFeature,
];

/** Every type of the interface. Definitions that contradict themselves or each other stop the start here. */
export const catalogueOf = (parts: WebhookParts, more: readonly Feature[] = []): WholeCatalogue =>
  catalogueOfFeatures([...features, webhooksFeature(parts), ...more]);

/** The scheduled work of all features, of webhooks, of the kernel and of the store. */
export const scheduledJobs: readonly Job[] = [
  ...features.flatMap(({ jobs = [] }) => jobs),
  ...webhookJobs,
  idempotencyKeysJob,
  filesJob,
  fileSweepJob,
  { name: "counters", schedule: "20 * * * *", run: sweepCounters },
];

/** The queued work of all features and of the kernel. */
export const queues = [...features.flatMap((one) => one.queues ?? []), fileRemovals, fileSweeps];

/** For code that describes the interface and serves none of it. Its key ends with the process. */
export const describedCatalogue: WholeCatalogue = catalogueOf({
  cipher: new Cipher([{ id: "described", bytes: () => randomBytes(32) }]),
  judgeHost: async () => "refused",
});
