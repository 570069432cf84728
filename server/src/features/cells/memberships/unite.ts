import { type CellRole, cellRoles, higherRole } from "./roles.ts";

export interface StoredMembership {
  id: string;
  cellId: string;
  personId: string;
  cellRole: CellRole;
  isActive: boolean;
  /** A day as `YYYY-MM-DD`. */
  joinedOn: string;
  leftOn: string | null;
  leftReason: string | null;
}

/** Memberships of several people in one cell that become one. It is stored in the row of `id`. */
export interface UnitedMembership extends StoredMembership {
  parts: readonly StoredMembership[];
}

/** Later than every day. */
const NEVER = "9999-12-31";
const endOf = ({ isActive, joinedOn, leftOn }: StoredMembership): string =>
  isActive ? NEVER : (leftOn ?? joinedOn);

/**
 * Unites the memberships of people who become one person. Memberships of a cell that overlap in time get the earliest
 * beginning, the highest role and the latest end. Memberships of only one person stay as they are.
 */
export function uniteMemberships(
  memberships: readonly StoredMembership[],
  keptId: string,
): UnitedMembership[] {
  const byCell = Map.groupBy(memberships, ({ cellId }) => cellId);
  return [...byCell.values()].flatMap(overlapping).flatMap((parts) => {
    const isShared = new Set(parts.map(({ personId }) => personId)).size > 1;
    return isShared ? unite(parts, keptId) : parts.map((one) => ({ ...one, parts: [one] }));
  });
}

/** Unites the memberships of one person that overlap, also those that never named anybody else. */
export const uniteOverlapping = (memberships: readonly StoredMembership[]): UnitedMembership[] =>
  [...Map.groupBy(memberships, ({ cellId }) => cellId).values()]
    .flatMap(overlapping)
    .map((parts) => unite(parts, parts[0]?.personId ?? ""));

/** Divides the memberships of a cell into groups that cover a period without a gap. */
function overlapping(ofCell: readonly StoredMembership[]): StoredMembership[][] {
  const groups: StoredMembership[][] = [];
  let end = "";
  for (const one of ofCell.toSorted((a, b) => (a.joinedOn < b.joinedOn ? -1 : 1))) {
    const group = groups.at(-1);
    if (group && (one.joinedOn < end || one.joinedOn === group[0]?.joinedOn)) group.push(one);
    else groups.push([one]);
    end = group === groups.at(-1) && end > endOf(one) ? end : endOf(one);
  }
  return groups;
}

function unite(parts: readonly StoredMembership[], keptId: string): UnitedMembership {
  const rank = (one: StoredMembership) => [
    one.isActive ? 0 : 1,
    cellRoles.indexOf(one.cellRole),
    one.personId === keptId ? 0 : 1,
  ];
  const [stays] = parts.toSorted((one, other) => compare(rank(one), rank(other)));
  const [last] = parts.toSorted((one, other) => (endOf(one) > endOf(other) ? -1 : 1));
  if (!stays || !last) throw new Error("A group of memberships is never empty.");
  return {
    ...stays,
    cellRole: parts.reduce((highest, one) => higherRole(highest, one.cellRole), stays.cellRole),
    joinedOn: parts.reduce((first, one) => (one.joinedOn < first ? one.joinedOn : first), NEVER),
    leftOn: last.leftOn,
    leftReason: last.leftReason,
    parts,
  };
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
