/**
 * Expensive tests, and what they protect: paths from the root, or beginnings of paths. `npm test` runs such a test if one of them
 * changed since the last whole run, in which all tests run.
 */
export const protects: Readonly<Record<string, readonly string[]>> = {};
