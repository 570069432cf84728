/**
 * The tokens of those who were full administrators when they last asked. It decides which statement is sent, never what
 * is allowed: PostgreSQL answers a full administrator's errand to nobody else.
 */
export class AdministratorTokens {
  readonly #tokens = new Set<string>();
  readonly #max: number;

  constructor(max = 10_000) {
    this.#max = max;
  }

  has(hash: Buffer): boolean {
    return this.#tokens.has(hash.toString("latin1"));
  }

  note(hash: Buffer, isAdministrator: boolean): void {
    const token = hash.toString("latin1");
    if (!isAdministrator) return void this.#tokens.delete(token);
    // All of them go: those who are busy come back at once.
    if (this.#tokens.size >= this.#max && !this.#tokens.has(token)) this.#tokens.clear();
    this.#tokens.add(token);
  }
}
