import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Db } from "../../src/store/db.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/store/embedded.ts";

interface Options {
  number: number;
  dataDir: string;
  say: (line: string) => void;
}

/** A PostgreSQL server that can be killed, frozen and started again at the same address. */
export class Server {
  readonly number: number;
  readonly #start: () => Promise<EmbeddedServer>;
  #embedded: EmbeddedServer;
  #frozen: readonly number[] = [];

  private constructor(number: number, start: () => Promise<EmbeddedServer>, first: EmbeddedServer) {
    this.number = number;
    this.#start = start;
    this.#embedded = first;
  }

  static async start({ number, ...options }: Options): Promise<Server> {
    const start = () => startEmbedded(options);
    return new Server(number, start, await start());
  }

  get url(): string {
    return this.#embedded.url;
  }

  /** Its supervisor starts it again at once. */
  kill(): Promise<void> {
    return this.#asAdministrator(async (administrator) => {
      process.kill(await postmasterOf(administrator), "SIGKILL");
    });
  }

  terminateConnections(): Promise<void> {
    return this.#asAdministrator(async (administrator) => {
      await administrator`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'vestry%' and pid <> pg_backend_pid()`;
    });
  }

  /** Kills it together with its supervisor. It is away until the returned function has started it again. */
  async crash(): Promise<() => Promise<void>> {
    const { url } = this;
    await this.kill();
    await this.#embedded.stop();
    return async () => {
      this.#embedded = await this.#start();
      if (this.url !== url)
        throw new Error(
          "PostgreSQL has a new address. Set TMPDIR to a directory with a short name.",
        );
    };
  }

  /** Suspends all its processes. Connections stay open and get no answer until the returned function resumes them. */
  async freeze(): Promise<() => Promise<void>> {
    await this.#asAdministrator(async (administrator) => {
      const postmaster = await postmasterOf(administrator);
      this.#suspend([postmaster]);
      // The list is complete, because a suspended postmaster starts no process.
      const others = await administrator<{ pid: number }[]>`select pid from pg_stat_activity`;
      this.#suspend(others.map(({ pid }) => pid));
    });
    return () => Promise.resolve(this.thaw());
  }

  #suspend(processes: readonly number[]): void {
    this.#frozen = [...this.#frozen, ...processes];
    for (const pid of processes) signal(pid, "SIGSTOP");
  }

  /** A suspended PostgreSQL would survive the end of the run. */
  thaw(): void {
    for (const pid of this.#frozen) signal(pid, "SIGCONT");
    this.#frozen = [];
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.#embedded.stop();
  }

  async #asAdministrator(act: (administrator: Db) => Promise<void>): Promise<void> {
    const administrator = connect(this.#embedded.adminUrl, { max: 1, name: "chaos" });
    try {
      await act(administrator);
    } finally {
      await administrator.end({ timeout: 1 });
    }
  }
}

async function postmasterOf(administrator: Db): Promise<number> {
  const [shown] = await administrator<{ directory: string }[]>`
    select current_setting('data_directory') as directory`;
  const pidFile = await readFile(join(shown?.directory ?? "", "postmaster.pid"), "utf8");
  return Number(pidFile.split("\n")[0]);
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The runner's own connections, which know nothing of servers that are away. The home is the first. */
export function connectEach(servers: readonly Server[]): Db[] {
  const options = { max: 2, name: "chaos", statementMsMax: 0 };
  const dbs: Db[] = [];
  for (const { number, url } of servers) {
    const [home] = dbs;
    const place = home && { place: { server: number, home } };
    dbs.push(connect(url, { ...options, ...place }));
  }
  return dbs;
}
