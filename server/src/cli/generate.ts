import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../app/config.ts";
import { generated, openApiFile, triggersFile } from "../app/generate.ts";
import { connect, type Db } from "../store/db.ts";
import { startEmbedded } from "../store/embedded.ts";
import { migrate } from "../store/migrate.ts";
import type { AddCommand } from "./context.ts";

export const addGenerate: AddCommand = (program, context) =>
  program
    .command("generate")
    .description("Write the generated files and list those that changed.")
    .action(
      context.action(async () => {
        const files = new Map<string, string>();
        const changed: string[] = [];
        const put = async ([path, text]: readonly [path: string, text: string]) => {
          if (await write(path, text)) changed.push(path);
          files.set(path, text);
        };
        // The new database reads the triggers.
        await put(triggersFile());
        for (const file of await onNewDatabase(context.say, generated)) await put(file);
        await put(openApiFile());
        return {
          json: { files: [...files.keys()], changed },
          lines:
            changed.length === 0
              ? ["All generated files are up to date."]
              : changed.map((path) => `Changed ${path}.`),
        };
      }),
    );

async function write(path: string, text: string): Promise<boolean> {
  const file = join(repositoryRoot, path);
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return false;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return true;
}

/** A new database, so that the generated files depend on the migrations alone. */
async function onNewDatabase<T>(
  say: (line: string) => void,
  act: (db: Db) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "vestry-generate-"));
  try {
    // Started by root, PostgreSQL runs as another user, who must be able to enter the directory.
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
