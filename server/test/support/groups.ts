/** A process that loads the service costs a few seconds, and more processes than this leave no time for the tests. */
const GROUPS_MAX = 9;
/** A shorter group is not worth a process. */
const GROUP_SECONDS_MIN = 12;

/**
 * The test files of each process: neighbors in the order of their paths, so that each process takes about as long as the others.
 * `secondsOf` is what a file took in the last whole run.
 */
export function groupsOf(
  paths: readonly string[],
  secondsOf: (path: string) => number,
): string[][] {
  const whole = paths.reduce((sum, path) => sum + secondsOf(path), 0);
  const count = Math.max(1, Math.min(GROUPS_MAX, Math.floor(whole / GROUP_SECONDS_MIN)));
  const groups: string[][] = [];
  let passed = 0;
  for (const path of [...paths].sort()) {
    // The middle of a file decides, so that a long one does not stretch the group before it.
    const share = whole > 0 ? (passed + secondsOf(path) / 2) / whole : 0;
    const place = Math.floor(share * count);
    (groups[place] ??= []).push(path);
    passed += secondsOf(path);
  }
  const seconds = (group: readonly string[]) =>
    group.reduce((sum, path) => sum + secondsOf(path), 0);
  return groups.filter((group) => group !== undefined).sort((a, b) => seconds(b) - seconds(a));
}
