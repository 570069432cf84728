#!/usr/bin/env node
// `npx vestry …` from the clone, before anything is installed as well as after: see "bin" in both package.json.
process.argv.splice(2, 0, "server/bin/vestry.ts");
await import("./launch.mjs");
