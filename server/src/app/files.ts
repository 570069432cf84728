import { FileLinks } from "../store/files/file-links.ts";
import type { FileStore } from "../store/files/file-store.ts";
import type { Files } from "../store/files/files.ts";
import { folderStore } from "../store/files/folder.ts";
import { s3Store } from "../store/files/s3.ts";
import { type Config, encryptionKeysOf } from "./config.ts";
import { derivedKey } from "./derived-key.ts";

/** Nothing is opened or created before the first file. */
export const fileStoreOf = ({ filesDir, filesS3 }: Config): FileStore =>
  filesS3 ? s3Store(filesS3) : folderStore(filesDir);

export const filesOf = (config: Config): Files => ({
  store: fileStoreOf(config),
  links: new FileLinks(
    config.publicUrl,
    encryptionKeysOf(config).map((key) => derivedKey(key, "file links")),
  ),
});
