import { moveAccount } from "../../src/features/accounts/move-account.ts";
import { connectServers } from "../../src/store/servers.ts";
import { PATIENCE_MS, patient } from "./patience.ts";

/** Moves an account, and kills its own process after a step. */
const [step, alias = "", to, ...urls] = process.argv.slice(2);
await moveAccount(connectServers(urls, { max: 4, ...patient }), {
  alias,
  to: Number(to),
  // Tests end the lease in the database.
  leaseMs: 10 * PATIENCE_MS,
  reached(reached) {
    if (reached === step) process.kill(process.pid, "SIGKILL");
    // The signal may take a moment.
    return reached === step ? new Promise(() => undefined) : undefined;
  },
});
