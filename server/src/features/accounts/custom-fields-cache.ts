import type { Actor } from "../../access/actor.ts";
import { type CustomField, CustomFields } from "../../jsonapi/definition/custom-fields.ts";
import type { Resource } from "../../jsonapi/definition/resource.ts";
import type { Queryable, Tx } from "../../store/db.ts";

interface Cached {
  version: number;
  byResource: Record<string, Record<string, CustomField>>;
  made: Map<string, CustomFields>;
}

const ACCOUNTS_MAX = 1_000;

/**
 * Caches the custom fields of accounts by version. Every request knows the current version of its account, so
 * definitions are never stale.
 */
export class CustomFieldsCache {
  readonly #accounts = new Map<string, Cached>();

  readonly read = async (
    db: Queryable,
    actor: Actor,
    resource: Resource,
  ): Promise<CustomFields | undefined> => fieldsOf(await this.#load(db, actor), resource);

  /** Locks the definitions against changes until the transaction ends. Many transactions can share the lock. */
  readonly lock = async (tx: Tx, actor: Actor, resource: Resource): Promise<CustomFields> => {
    const [row] = await tx<{ version: number }[]>`
      select version from accounts where id = ${actor.accountId} for share`;
    return fieldsOf(
      await this.#load(tx, { ...actor, accountVersion: row?.version ?? 0 }),
      resource,
    );
  };

  async #load(db: Queryable, actor: Actor): Promise<Cached> {
    const known = this.#accounts.get(actor.accountId);
    if (known && known.version === actor.accountVersion) return known;
    const [row] = await db<{ custom_properties: Cached["byResource"]; version: number }[]>`
      select custom_properties, version from accounts where id = ${actor.accountId}`;
    const loaded = {
      version: row?.version ?? 0,
      byResource: row?.custom_properties ?? {},
      made: new Map(),
    };
    // Definitions read inside a transaction are not cached, because it may be rolled back.
    if (loaded.version !== actor.accountVersion) return loaded;
    // Evicts the oldest entry. Active accounts are loaded again at once.
    if (this.#accounts.size >= ACCOUNTS_MAX) {
      const [oldest] = this.#accounts.keys();
      if (oldest !== undefined) this.#accounts.delete(oldest);
    }
    this.#accounts.set(actor.accountId, loaded);
    return loaded;
  }
}

function fieldsOf(cached: Cached, resource: Resource): CustomFields {
  let fields = cached.made.get(resource.type);
  if (!fields) {
    fields = new CustomFields(resource.type, cached.byResource[resource.type] ?? {});
    cached.made.set(resource.type, fields);
  }
  return fields;
}
