import { run } from "../src/cli/run.ts";

// Sets the exit code instead of exiting, so that pending output is written first.
process.exitCode = await run(process.argv.slice(2));
