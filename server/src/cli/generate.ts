import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../app/config.ts";
import { generated } from "../app/generate.ts";
import { connect, type Db } from "../store/db.ts";
import { startEmbedded } from "../store/embedded.ts";
import { migrate } from "../store/migrate.ts";
import { type Command, command } from "./command.ts";

export const commands: readonly Command[] = [
  command({
    name: "generate",
    summary: "Writes the files that are made from the code, and says which changed.",
    options: {},
    async run(_values, { say }) {
      const files = await onNewDatabase(say, generated);
      const changed: string[] = [];
      for (const [path, text] of files) if (await write(path, text)) changed.push(path);
      return {
        json: { files: [...files.keys()], changed },
        lines:
          changed.length === 0
            ? ["Every generated file is up to date."]
            : changed.map((path) => `${path} has changed.`),
      };
    },
  }),
];

async function write(path: string, text: string): Promise<boolean> {
  const file = join(repositoryRoot, path);
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return false;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return true;
}

/** Not this installation's: what is committed follows from the migrations alone. */
async function onNewDatabase<T>(
  say: (line: string) => void,
  act: (db: Db) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "vestry-generate-"));
  try {
    // Root's PostgreSQL runs as another user, who must be able to pass through.
    await chmod(directory, 0o711);
    const server = await startEmbedded({
      dataDir: join(directory, "data"),
      settings: { fsync: "off" },
      say,
    });
    const db = connect(server.url, { max: 2 });
    try {
      await migrate(db);
      return await act(db);
    } finally {
      await db.end({ timeout: 1 });
      await server.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
