/** The database and the service that the test files of a process share. */

const endings: (() => PromiseLike<void>)[] = [];

/** Calls `make` once for all test files of this process. `end` runs after the last one, in the opposite order. */
export function shared<T>(make: () => Promise<{ value: T; end: () => PromiseLike<void> }>) {
  let made: Promise<T> | undefined;
  return (): Promise<T> =>
    (made ??= make().then(({ value, end }) => {
      endings.unshift(end);
      return value;
    }));
}

export async function endShared(): Promise<void> {
  for (const end of endings) await end();
}
