import type { Assignment } from "./actor.ts";
import type { Permission } from "./permissions.ts";

/** The roles that every account starts with. Each manifest that lists some adds their codes with `declare module`. */
export interface PresetRoles {}

export type PresetCode = keyof PresetRoles;

/** The permissions of all manifests combined. */
export interface Rights {
  permissions: ReadonlySet<Permission>;
  presets: ReadonlyMap<string, readonly Permission[]>;
  /** The permissions of every active person. */
  everyone: readonly Assignment[];
}
