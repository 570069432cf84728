import type { Command } from "./command.ts";
import type { PublicWrite } from "./public-write.ts";
import type { Catalogue, Resource } from "./resource.ts";

/** Every type of the interface, with those that operations do not need. */
export interface WholeCatalogue extends Catalogue {
  commands: ReadonlyMap<string, Command>;
  /** The types of the public area. They have the names of their types in `resources`. */
  publicTypes: ReadonlyMap<string, Resource>;
  /** The types that visitors create in the public area. */
  publicWrites: ReadonlyMap<string, PublicWrite>;
}
