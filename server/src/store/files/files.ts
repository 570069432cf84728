import { FileLinks } from "./file-links.ts";
import type { FileStore } from "./file-store.ts";

/** Where the files of an installation are, and the links that lead to them. */
export interface Files {
  readonly store: FileStore;
  readonly links: FileLinks;
}

/** For work that shows no links and stores no files. */
export const noFiles: Files = {
  get store(): never {
    throw new Error("This work has no storage of files.");
  },
  links: new FileLinks("", []),
};
