/** A snapshot of a subject, limited in size. */
export interface Snapshot {
  text: string;
  /** The size before members were omitted. */
  originalBytes: number;
  /** Omitted members, the largest first: `description`, `custom-properties.story`. */
  omittedFields: readonly string[];
}

interface Subject {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

interface Member {
  name: string;
  bytes: number;
  remove: () => void;
}

/** Removes the largest text members first, then the largest other members, until the snapshot fits. */
export function snapshotWithin(bytesMax: number, whole: string): Snapshot {
  const originalBytes = Buffer.byteLength(whole);
  if (originalBytes <= bytesMax) return { text: whole, originalBytes, omittedFields: [] };

  const subject = JSON.parse(whole) as Subject;
  const omittedFields: string[] = [];
  for (const { name, remove } of inOrderOfLoss(subject)) {
    remove();
    omittedFields.push(name);
    const text = JSON.stringify(subject);
    if (Buffer.byteLength(text) <= bytesMax) return { text, originalBytes, omittedFields };
  }
  throw new Error(`A snapshot without members exceeds ${bytesMax} bytes.`);
}

function inOrderOfLoss(subject: Subject): Member[] {
  const attributes = membersOf(subject.attributes ?? {}, "");
  const relationships = membersOf(subject.relationships ?? {}, "");
  const bySize = (members: Member[]) => members.sort((a, b) => b.bytes - a.bytes);
  const texts = new Set(attributes.filter(({ isText }) => isText));
  return [
    ...bySize([...texts]),
    ...bySize([...attributes.filter((member) => !texts.has(member)), ...relationships]),
  ];
}

/** Custom fields count as separate members. */
function membersOf(of: Record<string, unknown>, prefix: string): (Member & { isText: boolean })[] {
  return Object.entries(of).flatMap(([name, value]) => {
    if (name === "custom-properties" && typeof value === "object" && value !== null)
      return membersOf(value as Record<string, unknown>, "custom-properties.");
    return {
      name: prefix + name,
      bytes: Buffer.byteLength(JSON.stringify(value)),
      isText: typeof value === "string",
      remove: () => {
        delete of[name];
      },
    };
  });
}
