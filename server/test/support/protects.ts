/**
 * The files that each expensive test file protects. `npm test` runs it if one of them, or the test itself, changed since the last whole
 * run, in which all tests run.
 *
 * A path from the root that ends with a slash is a folder with all that is below it. Rooms that every test goes through, such as the
 * kernel, are left out where other tests of them would fail as well.
 */
const common = ["package-lock.json", "server/bin/process.json"] as const;

/** How a node of one or several servers starts, and how commands find the database. */
const starts = [
  "server/bin/",
  "server/src/app/",
  "server/src/cli/",
  "server/src/base/",
  "server/src/jobs/",
  "server/src/store/",
  "server/src/catalogue.ts",
] as const;

export const protects: Record<string, readonly string[]> = {
  "server/src/store/embedded.test.ts": [
    ...common,
    "server/src/store/embedded/",
    "server/src/store/embedded.ts",
    "server/src/store/address.ts",
    "server/src/store/data-directory.ts",
  ],
  "server/test/account-moves.test.ts": [
    ...common,
    "server/migrations/",
    ...starts,
    "server/src/access/",
    "server/src/events/",
    "server/src/features/accounts/",
    "server/src/features/imports/",
    "server/src/features/sign-in/",
    "server/src/webhooks/",
  ],
  "server/test/add-a-type.test.ts": [
    ...common,
    "CONTRIBUTING.md",
    "docs/interface.md",
    "server/src/app/generate.ts",
    "server/src/catalogue.ts",
    "server/src/contract/",
    "server/src/features/people/",
    "server/src/jsonapi/",
    "server/src/store/",
    "server/test/conformance/",
    "server/test/docs-links.test.ts",
    "server/test/generated-files.test.ts",
    "server/test/openapi.test.ts",
    "server/test/schema.test.ts",
    "server/test/tidy.test.ts",
  ],
  "server/test/commands/move.test.ts": [...common, ...starts],
  "server/test/commands/serve.test.ts": [
    ...common,
    ...starts,
    "server/src/features/accounts/",
    "server/src/features/sign-in/",
    "server/src/sample-data/",
    "server/src/webhooks/",
    "server/test/commands/serve.test.ts",
  ],
  "server/test/engine/killed.test.ts": [
    ...common,
    ...starts,
    "server/src/events/",
    "server/src/webhooks/",
  ],
  "server/test/examples/website.test.ts": [
    ...common,
    "docs/guides/show-courses-and-cells-on-your-website.md",
    "examples/website/",
    "server/src/app/",
    "server/src/features/cells/",
    "server/src/features/courses/",
    "server/src/features/forms/",
    "server/src/features/visitors/",
    "server/src/jsonapi/definition/",
    "server/src/jsonapi/routes/",
    "server/src/sample-data/",
  ],
  "server/test/jobs/killed-import.test.ts": [
    ...common,
    "server/migrations/",
    "server/src/access/",
    "server/src/features/households/",
    "server/src/features/imports/",
    "server/src/features/people/",
    "server/src/jobs/",
    "server/src/jsonapi/definition/importer.ts",
    "server/src/jsonapi/sql/",
    "server/src/store/",
    "server/test/jobs/killed-import-worker.ts",
  ],
  "server/test/jobs/queues.test.ts": [
    ...common,
    "server/src/jobs/",
    "server/src/store/",
    "server/test/jobs/counted.ts",
    "server/test/jobs/hanging-worker.ts",
  ],
  "server/test/engine-in-front.test.ts": [...common, ...starts],
  "server/test/launch.test.ts": [
    "package.json",
    "package-lock.json",
    "server/bin/",
    "web/build.ts",
    "web/sources.mjs",
  ],
  "server/test/pooler.test.ts": [
    ...common,
    ...starts,
    "server/src/access/",
    "server/src/jsonapi/sql/",
  ],
  "server/test/resilience.test.ts": [
    ...common,
    "server/src/access/",
    "server/src/app/",
    "server/src/jsonapi/routes/",
    "server/src/store/",
  ],
  "server/test/servers.test.ts": [
    ...common,
    "server/migrations/",
    ...starts,
    "server/src/access/",
    "server/src/events/",
    "server/src/features/accounts/",
    "server/src/features/journal/",
    "server/src/features/sign-in/",
    "server/src/jsonapi/sql/files.ts",
    "server/src/webhooks/",
  ],
};
