/** Values in a storage of the browser. The storage can be full or denied, and then nothing is kept. */
export type Kept = {
  get: <Value>(name: string) => Value | undefined;
  /** False if the browser did not keep it. */
  set: (name: string, value: unknown) => boolean;
  delete: (name: string) => void;
};

let owner: string | undefined;

/** The person whose values `ofPerson` and `ofTab` read. Values of other people stay locked. */
export function setOwner(personId: string): void {
  owner = personId;
}

/** The person to whom the page belongs. Undefined before the log-in. */
export const ownerId = (): string | undefined => owner;

const keptIn = (storage: () => Storage, prefix: () => string): Kept => ({
  get(name) {
    try {
      const text = storage().getItem(prefix() + name);
      return text === null ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  },
  set(name, value) {
    try {
      storage().setItem(prefix() + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  delete(name) {
    try {
      storage().removeItem(prefix() + name);
    } catch {
      // A denied storage holds nothing.
    }
  },
});

/** Ends with the browser, as the session does that is not to be kept. */
const RUN = "vestry-open=1";

export function noteRun(): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${RUN}; Path=/; SameSite=Strict${secure}`;
}

/** Whether the browser has not been closed since `noteRun`. */
export const isSameRun = (): boolean => document.cookie.split("; ").includes(RUN);

const prefixOf = (personId: string) => `vestry.${personId}.`;

/** Choices for this device, whoever uses it: the theme, the church of the last log-in. `public/theme.js` reads them too. */
export const ofDevice = keptIn(
  () => localStorage,
  () => "vestry.",
);

/** Choices of this person on this device: columns, the paged view. They end with the log-out. */
export const ofPerson = keptIn(
  () => localStorage,
  () => prefixOf(owner ?? "nobody"),
);

/** Drafts of this person in this tab. They survive a reload and end with the log-out. */
export const ofTab = keptIn(
  () => sessionStorage,
  () => prefixOf(owner ?? "nobody"),
);

/** Deletes all values of the person. Those of other people and of the device stay. */
export function forgetPerson(personId: string): void {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const name of Object.keys(storage))
        if (name.startsWith(prefixOf(personId))) storage.removeItem(name);
  } catch {
    // A denied storage holds nothing.
  }
}
