import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeAuthority } from "../../server/test/support/certificates.ts";
import { startMailServer } from "../../server/test/support/mail-server.ts";

export const PASSWORD = "correct horse battery";

/** The people with a log-in in the demo church, as the first start names them, and the administrator of 5,000 people. */
const standings = {
  "full administrator": "full administrator",
  "administrator": "administrator",
  "secretary": "secretary",
  "supervisor": "supervisor of three cells",
  "leader": "leader of one of them",
  "member": "member of that cell",
  "teacher": "teacher of a class",
} as const;
export type Standing = keyof typeof standings | "of 5,000";

export type Login = { username: string; password: string; account: string };

export type Service = {
  url: string;
  logins: Record<Standing, Login>;
  /** The folder with the text of each mail. The names of the files begin with the recipient. */
  mails: string;
  /** The certificate of the receivers of webhooks, which the service trusts. */
  certificate: { cert: string; key: string };
};

const NAME = "VESTRY_TEST_SERVICE";

/** The service of this run, which all workers share. */
export const theService = (): Service => JSON.parse(process.env[NAME] ?? "") as Service;

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Starts the service of this repository with a new database, which builds the app if it is old. Playwright calls it once. A
 * service that the environment names is used instead.
 */
export default async function start(): Promise<() => Promise<void>> {
  if (process.env[NAME] !== undefined) return () => Promise.resolve();
  const directory = await mkdtemp(join((await memory()) ?? tmpdir(), "vestry-web-"));
  // PostgreSQL that root starts runs as another user, who must be able to reach the directory.
  await chmod(directory, 0o711);
  const mails = await mkdtemp(join(directory, "mails-"));
  const mailServer = await startMailServer({
    keep: ({ text = "", to }) =>
      writeFile(join(mails, `${to?.[0]?.address} ${randomUUID()}`), text),
  });
  const authority = makeAuthority();
  const certificate = authority.issue(["127.0.0.1"]);
  const authorities = join(directory, "authority.pem");
  await writeFile(authorities, authority.cert);
  const url = `http://localhost:${await freePort()}`;
  const env = {
    ...process.env,
    DATA_DIR: join(directory, "data"),
    DATABASE_URL: "",
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    METRICS_PORT: "off",
    SMTP_URL: mailServer.url,
    MAIL_FROM: "vestry@bed.example",
    RATE_LIMITS: "off",
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    WEBHOOK_CA_FILE: authorities,
    VISITOR_LIMITS: "off",
    // Visitors of one network send five forms a minute, so each has an address of its own.
    TRUSTED_PROXIES: "127.0.0.1,::1",
    LOG_LEVEL: "error",
  };
  const service = vestry(["serve"], env);
  const stop = async () => {
    if (service.exitCode === null && service.kill("SIGTERM")) await once(service, "exit");
    await mailServer.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const printed = await untilReady(service);
    const church = ["--people", "5000", "--prefix", "church", "--password-stdin"];
    const seed = vestry(["seed", ...church], env);
    seed.stdin?.end(`${PASSWORD}\n`);
    const [code] = await once(seed, "exit");
    if (code !== 0) throw new Error("The church of 5,000 people could not be created.");
    process.env[NAME] = JSON.stringify({
      url,
      mails,
      certificate,
      logins: {
        ...Object.fromEntries(
          Object.entries(standings).map(([standing, words]) => {
            const line = new RegExp(`(\\S+@\\S+) +(\\S+) +\\(${words}\\)`);
            const password = matchOf(printed, line, 2);
            return [standing, { username: matchOf(printed, line), password, account: "demo" }];
          }),
        ),
        "of 5,000": { username: "admin@church.example", password: PASSWORD, account: "church" },
      } as Record<Standing, Login>,
    } satisfies Service);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Several times the size of both churches. */
const ROOM_BYTES = 2 ** 30;

/** The folder of a file system in memory, where a database does not wait for the disk. */
async function memory(): Promise<string | undefined> {
  const path = "/dev/shm";
  const room = await statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room > ROOM_BYTES ? path : undefined;
}

const vestry = (args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, ["server/bin/launch.mjs", "server/bin/vestry.ts", ...args], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });

/** What the start prints, up to the token. */
function untilReady(service: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    for (const stream of [service.stdout, service.stderr])
      stream?.on("data", (text: Buffer) => {
        printed += text.toString();
        if (/X-SVC-API-Token\s+\S+\n/.test(printed)) resolve(printed);
      });
    service.once("exit", () => reject(new Error(`The service did not start.\n${printed}`)));
  });
}

function matchOf(text: string, pattern: RegExp, group = 1): string {
  const found = pattern.exec(text)?.[group];
  if (found === undefined) throw new Error(`The start printed nothing like ${pattern}.`);
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
