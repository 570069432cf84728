import { run } from "../src/cli/run.ts";

// The status, not an exit: what is still to be written is written first.
process.exitCode = await run(process.argv.slice(2));
