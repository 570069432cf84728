import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { type TreeCell, treeOptions } from "../data/cells.ts";
import { formatList } from "../ui/format.ts";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { type Branch, branchesOf } from "./branches.ts";
import styles from "./cell.module.css";
import { ReportState } from "./report-state.tsx";

/** The groups in reach below each other, with leaders, the members of each branch and reports. Closed groups are hidden. */
export function Tree({ reports }: { reports: ReadonlyMap<string, string | null> }) {
  const { t } = useLingui();
  const query = useQuery(treeOptions);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  if (query.data === undefined)
    return query.error ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  const branches = branchesOf(query.data.filter(({ status }) => status !== "closed"));
  if (branches.length === 0) return <EmptyState title={<Trans>No groups yet</Trans>} />;
  const fold = (id: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(id);
    else next.delete(id);
    setFolded(next);
  };
  return (
    <ul
      role="tree"
      aria-label={t`Groups below each other`}
      className={styles.tree}
      onKeyDown={move}
    >
      {branches.map((branch, index) => (
        <Item
          key={branch.node.id}
          branch={branch}
          level={1}
          reports={reports}
          folded={folded}
          onFold={fold}
          isFirst={index === 0}
        />
      ))}
    </ul>
  );
}

function Item({
  branch: { node, children, members },
  level,
  reports,
  folded,
  onFold,
  isFirst,
}: {
  branch: Branch<TreeCell>;
  level: number;
  reports: ReadonlyMap<string, string | null>;
  folded: ReadonlySet<string>;
  onFold: (id: string, isFolded: boolean) => void;
  isFirst: boolean;
}) {
  const { t } = useLingui();
  const leaders = formatList(node.leaders?.map((leader) => leader["full-name"]) ?? []);
  const isFolded = folded.has(node.id);
  const hasChildren = children.length > 0;
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={level}
        aria-expanded={hasChildren ? !isFolded : undefined}
        aria-label={node.name}
        className={styles.branch}
        tabIndex={isFirst ? 0 : -1}
        data-id={node.id}
        onKeyDown={(event) => {
          if (event.key === "ArrowRight" && hasChildren && isFolded) onFold(node.id, false);
          else if (event.key === "ArrowLeft" && hasChildren && !isFolded) onFold(node.id, true);
          else if (event.key === "Enter") event.currentTarget.querySelector("a")?.click();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {hasChildren ? (
          <button
            type="button"
            className={styles.fold}
            tabIndex={-1}
            aria-label={
              isFolded ? t`Show what is below ${node.name}` : t`Hide what is below ${node.name}`
            }
            onClick={() => onFold(node.id, !isFolded)}
          >
            {isFolded ? <ChevronRight size={18} data-points /> : <ChevronDown size={18} />}
          </button>
        ) : (
          <span className={styles.leaf} />
        )}
        <span className={styles.node}>
          <Link to="/cells/$id" params={{ id: node.id }} tabIndex={-1}>
            <bdi>{node.name}</bdi>
          </Link>
          <span className={styles.quiet}>
            <bdi>{leaders}</bdi>
            {leaders && node["members-count"] !== undefined && " · "}
            {node["members-count"] !== undefined && (
              <Plural value={members} one="# member" other="# members" />
            )}
          </span>
        </span>
        <ReportState report={reports.get(node.id)} status={node.status} />
      </div>
      {hasChildren && !isFolded && (
        <ul role="group">
          {children.map((child) => (
            <Item
              key={child.node.id}
              branch={child}
              level={level + 1}
              reports={reports}
              folded={folded}
              onFold={onFold}
              isFirst={false}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The arrow keys move between the visible groups, and one of them is in the order of Tab. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const target =
    event.key === "ArrowDown"
      ? items[at + 1]
      : event.key === "ArrowUp"
        ? items[at - 1]
        : event.key === "Home"
          ? items[0]
          : event.key === "End"
            ? items.at(-1)
            : undefined;
  if (!target) return;
  event.preventDefault();
  items[at]?.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
  target.focus();
}
