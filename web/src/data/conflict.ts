/** The members of a record, or a part of them. */
export type Values = Readonly<Record<string, unknown>>;

/** A value that both sides changed to different ones. The name of a custom field is `custom-properties.<field>`. */
export type Conflict = { name: string; base: unknown; mine: unknown; theirs: unknown };

/** Objects of which a change names single members. */
const MERGED = "custom-properties";

/** Whether two values of JSON are equal. Null and an absent member are the same, and the order of members does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if ((one ?? null) === (other ?? null)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const [first, second] = [one as Values, other as Values];
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false;
  return [...names].every((name) => isSame(first[name], second[name]));
}

/** The members of `mine` that differ from `base`. Of custom fields, only the fields that differ. */
export function changesOf(base: Values, mine: Values): Values {
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(mine)) {
    if (isSame(base[name], value)) continue;
    changes[name] =
      name === MERGED ? changesOf((base[name] ?? {}) as Values, (value ?? {}) as Values) : value;
  }
  return changes;
}

/** Whether the changes contain none, as if the form had not been touched. */
export const isNothing = (changes: Values): boolean => Object.keys(changes).length === 0;

/**
 * Compares my changes of `base` with the record as somebody else left it. `changes` can be written over theirs: what they left
 * alone, without what they changed in the same way.
 */
export function compare(
  base: Values,
  mine: Values,
  theirs: Values,
): { changes: Values; conflicts: Conflict[] } {
  const changes: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  for (const [name, value] of Object.entries(mine)) {
    if (name === MERGED) {
      const inner = compare(
        (base[name] ?? {}) as Values,
        value as Values,
        (theirs[name] ?? {}) as Values,
      );
      if (!isNothing(inner.changes)) changes[name] = inner.changes;
      for (const conflict of inner.conflicts)
        conflicts.push({ ...conflict, name: `${MERGED}.${conflict.name}` });
    } else if (isSame(theirs[name], base[name])) changes[name] = value;
    else if (!isSame(theirs[name], value))
      conflicts.push({ name, base: base[name], mine: value, theirs: theirs[name] });
  }
  return { changes, conflicts };
}

/** The changes together with those of the conflicts in which my value was chosen. */
export function settle(
  changes: Values,
  conflicts: readonly Conflict[],
  isMine: (name: string) => boolean,
): Values {
  const settled: Record<string, unknown> = { ...changes };
  for (const { name, mine } of conflicts) {
    if (!isMine(name)) continue;
    if (name.startsWith(`${MERGED}.`))
      settled[MERGED] = {
        ...(settled[MERGED] as Values | undefined),
        [name.slice(MERGED.length + 1)]: mine,
      };
    else settled[name] = mine;
  }
  return settled;
}

/** The names of the values that differ from `base`. The name of a custom field is `custom-properties.<field>`. */
export const changedNames = (base: Values, other: Values): string[] =>
  Object.entries(changesOf(base, other)).flatMap(([name, value]) =>
    name === MERGED ? Object.keys(value as Values).map((field) => `${MERGED}.${field}`) : name,
  );

/** The record of a colleague with what was typed over it. `mine` names what was typed, and `typed` has it. */
export function typedOver(theirs: Values, mine: Values, typed: Values): Values {
  const values: Record<string, unknown> = { ...theirs };
  for (const [name, value] of Object.entries(mine))
    values[name] =
      name === MERGED
        ? typedOver((theirs[name] ?? {}) as Values, value as Values, (typed[name] ?? {}) as Values)
        : typed[name];
  return values;
}
