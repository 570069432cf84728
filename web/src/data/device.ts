/**
 * A table on the device. It throws where the browser has no storage, where its storage is full, and where the storage does not
 * answer.
 */
export type DeviceTable<Value> = {
  get: (key: string) => Promise<Value | undefined>;
  all: () => Promise<Value[]>;
  put: (key: string, value: Value) => Promise<void>;
  remove: (key: string) => Promise<void>;
  clear: () => Promise<void>;
};

const TABLES = ["drafts", "outbox", "sheets"] as const;
export type TableName = (typeof TABLES)[number];

const finished = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The device refused to store."));
  });

/** The storage of a browser can hang. After this time it counts as denied. */
const PATIENCE_MS = 2_000;
let isHanging = false;

/** While one call is without an answer, the next ones fail at once. A late answer ends that. */
function answered<Result>(call: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout>;
  const tooLate = new Promise<never>((_, reject) => {
    const hang = () => {
      isHanging = true;
      reject(new Error("The storage of the device does not answer."));
    };
    if (isHanging) hang();
    else timer = setTimeout(hang, PATIENCE_MS);
  });
  const settle = () => {
    clearTimeout(timer);
    isHanging = false;
  };
  call.then(settle, settle);
  return Promise.race([call, tooLate]);
}

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open("vestry", 1);
    request.onupgradeneeded = () => {
      for (const name of TABLES) request.result.createObjectStore(name);
    };
    const opened = await finished(request);
    opened.onclose = () => (opening = undefined);
    opened.onversionchange = () => opened.close();
    return opened;
  })();
  opening.catch(() => (opening = undefined));
  return opening;
}

/** Runs a transaction. It is complete when the device has stored it. */
async function transact<Result>(
  names: TableName | readonly TableName[],
  mode: IDBTransactionMode,
  run: (transaction: IDBTransaction) => Result,
): Promise<Result> {
  const transaction = (await database()).transaction(names, mode);
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error ?? new Error("The device refused to store."));
  });
  const result = run(transaction);
  await committed;
  return result;
}

const within = <Result>(
  name: TableName,
  mode: IDBTransactionMode,
  run: (table: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> =>
  answered(
    transact(name, mode, (transaction) => run(transaction.objectStore(name))).then(
      ({ result }) => result,
    ),
  );

export const deviceTable = <Value>(name: TableName): DeviceTable<Value> => ({
  get: (key) => within<Value | undefined>(name, "readonly", (table) => table.get(key)),
  all: () => within<Value[]>(name, "readonly", (table) => table.getAll()),
  put: async (key, value) => {
    await within(name, "readwrite", (table) => table.put(value, key));
  },
  remove: (key) => within(name, "readwrite", (table) => table.delete(key)),
  clear: () => within(name, "readwrite", (table) => table.clear()),
});

type Owned = { owner: string };

/** Rows that are not stored, by table. They live as long as the page, so the browser asks before it closes the page. */
const unstored: Map<string, Owned>[] = [];

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

function askBeforeClosing(): void {
  if (unstored.some(({ size }) => size > 0)) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

/** A table of what a person entered. Rows that the device refuses to store live in the page. */
export type LastingTable<Row> = Pick<DeviceTable<Row>, "all" | "get" | "remove"> & {
  /** Resolves to whether the device has stored the row. */
  put: (key: string, row: Row) => Promise<boolean>;
  hasUnstored: () => boolean;
};

export function lastingTable<Row extends Owned>(name: TableName): LastingTable<Row> {
  const table = deviceTable<Row>(name);
  const rows = new Map<string, Row>();
  unstored.push(rows);
  const release = (key: string) => {
    rows.delete(key);
    askBeforeClosing();
  };
  return {
    all: async () => [...(await table.all().catch(() => [])), ...rows.values()],
    get: async (key) => rows.get(key) ?? (await table.get(key).catch(() => undefined)),
    async put(key, row) {
      rows.set(key, row);
      askBeforeClosing();
      const isStored = await table.put(key, row).then(
        () => true,
        () => false,
      );
      // A newer row can wait for its own answer.
      if (isStored && rows.get(key) === row) release(key);
      return isStored;
    },
    async remove(key) {
      release(key);
      await table.remove(key).catch(() => undefined);
    },
    hasUnstored: () => rows.size > 0,
  };
}

/** Deletes everything of a person. Rows of other people stay, and only they can read them. */
export async function forgetRows(owner: string): Promise<void> {
  for (const rows of unstored)
    for (const [key, row] of rows) if (row.owner === owner) rows.delete(key);
  askBeforeClosing();
  // Without storage nothing was kept.
  await forgetStored(owner).catch(() => undefined);
}

const forgetStored = (owner: string): Promise<void> =>
  answered(
    transact(TABLES, "readwrite", (transaction) => {
      for (const name of TABLES) {
        const request = transaction.objectStore(name).openCursor();
        request.onsuccess = () => {
          const cursor = request.result;
          if (cursor === null) return;
          if ((cursor.value as Owned).owner === owner) cursor.delete();
          cursor.continue();
        };
      }
    }),
  );
