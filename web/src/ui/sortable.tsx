import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import styles from "./sortable.module.css";
import { VisuallyHidden } from "./text.tsx";

/** The place of a row that is dragged, and the gap where it would land. */
type Drag = { from: number; gap: number };

/** Near the edge of the window, a drag scrolls the page. */
const EDGE_PX = 60;
const STEP_PX = 12;

/**
 * Rows in an order that the reader chooses: with the two buttons of each row, or by dragging its handle. Rows move when they are
 * dropped, since a row that moves under the pointer loses it.
 */
export function Sortable<Row>({
  label,
  rows,
  keyOf,
  nameOf,
  onMove,
  children,
  below,
}: {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row, index: number) => string;
  onMove: (from: number, to: number) => void;
  children: (row: Row, index: number) => ReactNode;
  /** The rest of a row, over its whole width. */
  below: (row: Row, index: number) => ReactNode;
}) {
  const { t } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState("");
  const isDragging = drag !== undefined;

  useEffect(() => {
    if (!isDragging) return;
    const cancel = ({ key }: KeyboardEvent) => key === "Escape" && setDrag(undefined);
    document.addEventListener("keydown", cancel);
    return () => document.removeEventListener("keydown", cancel);
  }, [isDragging]);

  function move(from: number, to: number): void {
    if (to < 0 || to >= rows.length || from === to) return;
    const row = rows[from];
    if (row === undefined) return;
    const [name, place, count] = [nameOf(row, from), to + 1, rows.length];
    onMove(from, to);
    setSaid(t`${name}: place ${place} of ${count}`);
  }

  function follow({ clientY }: PointerEvent): void {
    if (!drag) return;
    const middles = [...(list.current?.children ?? [])].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2;
    });
    const gap = middles.filter((middle) => middle < clientY).length;
    if (gap !== drag.gap) setDrag({ ...drag, gap });
    if (clientY < EDGE_PX) scrollBy(0, -STEP_PX);
    else if (clientY > innerHeight - EDGE_PX) scrollBy(0, STEP_PX);
  }

  function drop(): void {
    if (drag) move(drag.from, drag.gap > drag.from ? drag.gap - 1 : drag.gap);
    setDrag(undefined);
  }

  return (
    <>
      <ol ref={list} className={styles.rows} aria-label={label}>
        {rows.map((row, index) => {
          const name = nameOf(row, index);
          return (
            <li
              key={keyOf(row)}
              className={styles.row}
              data-dragged={drag?.from === index || undefined}
              data-gap={
                drag?.gap === index
                  ? "before"
                  : drag?.gap === rows.length && index === rows.length - 1
                    ? "after"
                    : undefined
              }
            >
              <span
                className={styles.handle}
                aria-hidden="true"
                data-handle=""
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  event.preventDefault();
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDrag({ from: index, gap: index });
                }}
                onPointerMove={follow}
                onPointerUp={drop}
                onPointerCancel={() => setDrag(undefined)}
              >
                <GripVertical size={18} />
              </span>
              <div className={styles.content}>{children(row, index)}</div>
              <span className={styles.moves}>
                <IconButton
                  label={t`Move up: ${name}`}
                  icon={<ArrowUp size={16} />}
                  aria-disabled={index === 0 || undefined}
                  onClick={() => move(index, index - 1)}
                />
                <IconButton
                  label={t`Move down: ${name}`}
                  icon={<ArrowDown size={16} />}
                  aria-disabled={index === rows.length - 1 || undefined}
                  onClick={() => move(index, index + 1)}
                />
              </span>
              <div className={styles.below}>{below(row, index)}</div>
            </li>
          );
        })}
      </ol>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </>
  );
}
