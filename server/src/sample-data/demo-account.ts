import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import type { Tx } from "../store/db.ts";
import { type FileStore, keyOf } from "../store/files/file-store.ts";
import { exampleRow } from "./example-rows.ts";

/** The time of the database. Dates of the demo account are counted back from the day of its creation. */
export interface DemoClock {
  nowMs: number;
  /** A date in the time zone of the account. Negative days are in the future. */
  daysAgo: (days: number) => string;
}

/** The demo account while the parts of `parts.ts` fill it. */
export class DemoAccount {
  readonly tx: Tx;
  readonly accountId: string;
  readonly #ids = new Map<string, string>();

  readonly #files: FileStore;

  constructor(tx: Tx, accountId: string, files: FileStore) {
    this.tx = tx;
    this.accountId = accountId;
    this.#files = files;
  }

  /** Stores a file and returns its id. The caller stores a reference to it. */
  async addFile(name: string, media_type: string, bytes: Buffer): Promise<string> {
    const id = newId();
    const path = join(this.#files.incoming, id);
    await writeFile(path, bytes, { mode: 0o600 });
    await this.#files.keep(path, keyOf(this.accountId, id));
    await this.insert("files", [{ id, name, media_type, bytes: bytes.length }]);
    return id;
  }

  /** Makes the id of a resource. The same feature and later ones find it by type and name. */
  newId(type: string, name: string): string {
    const id = exampleRow(type, name) ?? newId();
    this.#ids.set(`${type}/${name}`, id);
    return id;
  }

  idOf(type: string, name: string): string {
    const id = this.#ids.get(`${type}/${name}`);
    if (id === undefined) throw new Error(`The demo account has no ${type} named ${name}.`);
    return id;
  }

  async clock(): Promise<DemoClock> {
    const [row] = await this.tx<{ nowMs: number; today: string }[]>`
      select (extract(epoch from now()) * 1000)::float8 as "nowMs", today_in(${this.accountId})::text as today`;
    if (!row) throw new Error("The database returned no time.");
    const todayMs = Date.parse(`${row.today}T00:00:00Z`);
    const daysAgo = (days: number) => new Date(todayMs - days * DAY).toISOString().slice(0, 10);
    return { nowMs: row.nowMs, daysAgo };
  }

  /** Columns that no row contains take their default. A column that only some rows contain is null in the others. */
  async insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    const names = ["account_id", ...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = names.map((name) => `"${name}"`).join(", ");
    const owned = rows.map((row) => ({ account_id: this.accountId, ...row }));
    // As text first: the driver would take a JavaScript array for one of PostgreSQL's.
    await this.tx.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
      [JSON.stringify(owned)],
    );
  }
}
