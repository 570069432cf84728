import type { Feature } from "../../jsonapi/definition/feature.ts";
import { sweepConfirmations } from "./confirmations.ts";
import { arrivalMails, confirmationMails } from "./mails.ts";
import { sweepProofs } from "./proofs.ts";

/** The public area as visitors write to it: limits, proofs, and the confirmation of their addresses. */
export const visitorsFeature: Feature = {
  tables: ["visit_proofs", "visit_confirmations"],
  queues: [confirmationMails, arrivalMails],
  jobs: [
    { name: "visit-proofs", schedule: "15 * * * *", run: sweepProofs },
    { name: "visit-confirmations", schedule: "55 * * * *", run: sweepConfirmations },
  ],
};
