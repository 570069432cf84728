import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileLinks } from "../../src/store/files/file-links.ts";
import type { Files } from "../../src/store/files/files.ts";
import { folderStore } from "../../src/store/files/folder.ts";

/** Files in a directory that does not exist before the first upload. */
export const filesIn = (directory: string, publicUrl: string): Files => ({
  store: folderStore(directory),
  links: new FileLinks(publicUrl, [Buffer.alloc(32, 5)]),
});

/** A directory for files, which `remove` deletes. */
export async function freshDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "vestry-files-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
