import { existsSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Config, repositoryRoot, dataDirectoryObstacle } from "../../app/config.ts";
import { type Finding, few, finding } from "./finding.ts";

const OLDEST_NODE = [24, 7] as const;
const GIBIBYTE = 1_024 ** 3;

/** Checks Node and the installed packages. Needs neither configuration nor database. */
export async function* examineMachine(): AsyncGenerator<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    yield finding(
      "node-too-old",
      `Vestry runs on Node ${process.versions.node} and needs ${OLDEST_NODE.join(".")} or newer.`,
      "Use npm start or npx vestry, which install a suitable Node.",
    );

  const read = async (path: string) =>
    JSON.parse(await readFile(join(repositoryRoot, path), "utf8")) as {
      version?: string;
      dependencies?: Record<string, string>;
    };
  const wanted = Object.entries((await read("server/package.json")).dependencies ?? {});
  const wrong: string[] = [];
  for (const [name, version] of wanted) {
    const there = await read(`node_modules/${name}/package.json`).catch(() => undefined);
    if (there?.version !== version) wrong.push(`${name} ${version}`);
  }
  if (wrong.length > 0)
    yield finding(
      "packages-differ",
      `Installed packages differ from the versions that Vestry needs: ${few(wrong)}.`,
      "Run npm ci.",
    );
}

export async function* examineDataDirectory(config: Config): AsyncGenerator<Finding> {
  const { dataDir } = config;
  const obstacle = dataDirectoryObstacle(config);
  if (obstacle) return yield finding("data-directory-unusable", obstacle.problem, obstacle.remedy);
  if (!existsSync(dataDir)) return;
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < GIBIBYTE || bavail / blocks < 0.03)
    yield finding(
      "disk-nearly-full",
      `The disk of ${dataDir} has only ${(free / GIBIBYTE).toFixed(1)} GiB free.`,
      "Free some space. PostgreSQL stops when it cannot write.",
    );
}
