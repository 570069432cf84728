import type { WholeCatalogue } from "../../jsonapi/definition/whole-catalogue.ts";
import type { Installation } from "../../jsonapi/routes/write-context.ts";
import type { VisitLimits } from "./counts.ts";
import type { Db } from "../../store/db.ts";

/** The parts of the installation that serve visitors. */
export interface Reception extends Installation {
  catalogue: WholeCatalogue;
  db: Db;
  /** The key of signatures and of the hashes of addresses. All nodes need the same key. */
  visitorKey: Uint8Array;
}

/** A reception that takes what visitors write. */
export interface OpenReception extends Reception {
  visitLimits: VisitLimits;
}
