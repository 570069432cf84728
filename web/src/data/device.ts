/** A table on the device. It throws where the browser has no storage or its storage is full. */
export type DeviceTable<Value> = {
  get: (key: string) => Promise<Value | undefined>;
  all: () => Promise<Value[]>;
  put: (key: string, value: Value) => Promise<void>;
  remove: (key: string) => Promise<void>;
};

const TABLES = ["drafts", "outbox", "sheets"] as const;
export type TableName = (typeof TABLES)[number];

const finished = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The device refused to store."));
  });

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

async function within<Result>(
  name: TableName,
  mode: IDBTransactionMode,
  run: (table: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const transaction = (await database()).transaction(name, mode);
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error ?? new Error("The device refused to store."));
  });
  const request = run(transaction.objectStore(name));
  await committed;
  return request.result;
}

export const deviceTable = <Value>(name: TableName): DeviceTable<Value> => ({
  get: (key) => within<Value | undefined>(name, "readonly", (table) => table.get(key)),
  all: () => within<Value[]>(name, "readonly", (table) => table.getAll()),
  put: async (key, value) => {
    await within(name, "readwrite", (table) => table.put(value, key));
  },
  remove: (key) => within(name, "readwrite", (table) => table.delete(key)),
});

/** Deletes everything of a person. Rows of other people stay, and only they can read them. */
export async function forgetRows(owner: string): Promise<void> {
  const transaction = (await database()).transaction(TABLES, "readwrite");
  for (const name of TABLES) {
    const request = transaction.objectStore(name).openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor === null) return;
      if ((cursor.value as { owner: string }).owner === owner) cursor.delete();
      cursor.continue();
    };
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error ?? new Error("The device refused to delete."));
  });
}
