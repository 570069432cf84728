/** A problem of an installation. */
export interface Finding {
  /** Stable, for scripts. */
  code: string;
  /** A sentence that describes the problem. */
  problem: string;
  /** A sentence that tells the operator what to do. */
  remedy: string;
}

export const finding = (code: string, problem: string, remedy: string): Finding => ({
  code,
  problem,
  remedy,
});

/** `"a", "b" and 3 more` */
export function few(names: readonly string[], shown = 3): string {
  const more = names.length - shown;
  const listed = names.slice(0, shown).join(", ");
  return more > 0 ? `${listed} and ${more} more` : listed;
}
