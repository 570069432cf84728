#!/usr/bin/env node
// `npx vestry …` inside the clone, also before the packages are installed. "bin" in both package.json files names it.
process.argv.splice(2, 0, "server/bin/vestry.ts");
await import("./launch.mjs");
