/** The tree of the groups in reach. A group whose parent is out of reach is a root. */
export type Branch<Node> = { node: Node; children: Branch<Node>[]; members: number };

type TreeNode = { id: string; parent?: { id: string } | null; "members-count"?: number };

export function branchesOf<Node extends TreeNode>(nodes: readonly Node[]): Branch<Node>[] {
  const known = new Set(nodes.map(({ id }) => id));
  const below = Map.groupBy(nodes, ({ parent }) =>
    parent && known.has(parent.id) ? parent.id : undefined,
  );
  const grow = (node: Node): Branch<Node> => {
    const children = (below.get(node.id) ?? []).map(grow);
    const own = node["members-count"] ?? 0;
    return {
      node,
      children,
      members: children.reduce((sum, { members }) => sum + members, own),
    };
  };
  return (below.get(undefined) ?? []).map(grow);
}
