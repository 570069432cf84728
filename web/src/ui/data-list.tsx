import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link, type LinkProps, useElementScrollRestoration } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, IconButton } from "./button.tsx";
import styles from "./data-list.module.css";
import { formatMoment, formatNumber } from "./format.ts";
import { useIsPhone } from "./media.ts";
import { useRowWindow } from "./row-window.ts";
import { Banner, ErrorState, Skeleton } from "./states.tsx";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The name of the sort, for columns that the service can sort by. */
  sort?: string | undefined;
  /** The smallest width in pixels, and the share of the rest. */
  width: readonly [smallest: number, share: number];
};

/** Rows of any type. Only the visible ones need to be there. */
export type Rows<Row> = {
  key: string;
  total: number | undefined;
  isOld: boolean;
  at: (index: number) => Row | undefined;
  between: (first: number, last: number) => Promise<Row[]>;
  show: (first: number, last: number) => void;
  error: { requestId?: string | undefined } | null;
  readAt: number;
  retry: () => void;
};

/** Some rows by their ids, or all rows of the filter without those of the ids. */
export type Selection = { isAll: boolean; ids: ReadonlySet<string> };
export const NOTHING: Selection = { isAll: false, ids: new Set() };
export const EVERYTHING: Selection = { isAll: true, ids: new Set() };

export const selectedCount = ({ isAll, ids }: Selection, total: number): number =>
  isAll ? Math.max(0, total - ids.size) : ids.size;

type Selecting = {
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** On phones, checkboxes are hidden until the user begins to select. */
  isSelecting: boolean;
  onSelecting: () => void;
};

type Props<Row> = {
  label: string;
  rows: Rows<Row>;
  /** The first column holds the link of the row. */
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  /** A photo or initials in front of the first column. The checkbox appears over it. */
  face?: ((row: Row) => ReactNode) | undefined;
  /** All of a row on a phone, beside its face. */
  phoneRow: (row: Row) => ReactNode;
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  widths?: Readonly<Record<string, number>> | undefined;
  onWidth?: ((column: string, width: number) => void) | undefined;
  select?: Selecting | undefined;
  /** Numbered pages of one hundred rows, instead of a window on all rows. */
  pages?: { page: number; link: (page: number) => LinkProps } | undefined;
  hasKeys?: boolean | undefined;
  empty: ReactNode;
  /** The words for `rows.error`. */
  failure: ReactNode;
};

const PAGE = 100;
const HEAD = 36;
const NARROWEST = 72;
/** Shorter than the press after which browsers open the menu of a link. */
const LONG_PRESS_MS = 400;

/** The height of a row follows the density, the kind of pointer and the size of text that the reader chose. */
function rowHeight(isPhone: boolean): number {
  const look = getComputedStyle(document.documentElement);
  const pixels = isPhone ? 64 : Number.parseFloat(look.getPropertyValue("--row")) || 52;
  return Math.round((pixels * Number.parseFloat(look.fontSize)) / 16);
}

/** A table, or a list on phones, of any number of rows, of which only the visible ones exist in the page. */
export function DataList<Row extends { id: string }>(props: Props<Row>) {
  const { rows, empty, failure } = props;
  const { t } = useLingui();
  const asOf = Number.isFinite(rows.readAt)
    ? formatMoment(new Date(rows.readAt).toISOString(), "time")
    : undefined;
  if (rows.total === undefined && rows.error)
    return (
      <div className={styles.state}>
        <ErrorState message={failure} requestId={rows.error.requestId} onRetry={rows.retry} />
      </div>
    );
  if (rows.total === 0 && !rows.isOld) return <div className={styles.state}>{empty}</div>;
  return (
    <>
      {rows.error && (
        <div className={styles.banner}>
          <Banner
            action={
              <Button kind="quiet" onClick={rows.retry}>
                <Trans>Try again</Trans>
              </Button>
            }
          >
            {failure} {asOf !== undefined && <Trans>These rows are as of {asOf}.</Trans>}
          </Banner>
        </div>
      )}
      <Grid {...props} />
      {props.pages && <Pages label={t`Pages`} total={rows.total ?? 0} {...props.pages} />}
    </>
  );
}

function Grid<Row extends { id: string }>(props: Props<Row>) {
  const { label, rows, columns, select, pages, hasKeys = true } = props;
  const { key, show, isOld } = rows;
  const isPhone = useIsPhone();
  const [height] = useState(() => ({ phone: rowHeight(true), table: rowHeight(false) }));
  const scroller = useRef<HTMLDivElement>(null);
  const restored = useElementScrollRestoration({ id: "rows" });
  const total = rows.total ?? 12;
  const start = pages ? (pages.page - 1) * PAGE : 0;
  const count = pages ? Math.max(0, Math.min(PAGE, total - start)) : total;
  const [focused, setFocused] = useState<number>();

  const rowSize = isPhone ? height.phone : height.table;
  const visible = useRowWindow(scroller, {
    count,
    height: rowSize,
    head: isPhone ? 0 : HEAD,
    firstTop: restored?.scrollY ?? 0,
    isOn: !pages,
  });
  // The row that has the focus stays in the page, or the focus would be lost.
  const isFocusAway =
    focused !== undefined && focused < count && !visible.indexes.includes(focused);
  const indexes = pages
    ? Array.from({ length: count }, (_, at) => start + at)
    : isFocusAway
      ? [...visible.indexes, focused].sort((a, b) => a - b)
      : visible.indexes;
  const firstVisible = pages ? start : visible.first;
  const lastVisible = pages ? start + PAGE - 1 : visible.last;
  useEffect(() => show(firstVisible, lastVisible), [show, firstVisible, lastVisible]);

  // Another question begins at its first row.
  const question = useRef(key);
  useLayoutEffect(() => {
    if (question.current === key) return;
    question.current = key;
    scroller.current?.scrollTo({ top: 0 });
  }, [key]);

  const goal = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (goal.current === undefined) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${goal.current}"] a`);
    if (!link) return;
    goal.current = undefined;
    link.focus({ preventScroll: true });
  });
  const [, redraw] = useState(0);
  const goTo = (index: number) => {
    goal.current = Math.max(start, Math.min(start + count - 1, index));
    if (pages)
      scroller.current
        ?.querySelector(`[data-index="${goal.current}"]`)
        ?.scrollIntoView({ block: "nearest" });
    else visible.reveal(goal.current);
    redraw((n) => n + 1);
  };

  const marks = useMarks(rows, select);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!hasKeys || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches("[role=separator]")) return;
    const at = goal.current ?? focused;
    const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) goTo(at === undefined ? start : at + step);
    else if (event.key.toLowerCase() === "x" && at !== undefined)
      void marks.toggle(at, event.shiftKey);
    else return;
    event.preventDefault();
  };

  // The rows move when a selection begins, so the click at the end of the press can meet another row.
  const wasLongPress = useRef(false);
  const preventAfterPress = (event: { preventDefault: () => void }) => {
    if (wasLongPress.current) event.preventDefault();
  };
  const longPress = {
    onPointerDownCapture: () => {
      wasLongPress.current = false;
    },
    onContextMenu: preventAfterPress,
    onClickCapture: preventAfterPress,
  };

  const isBusy = isOld || rows.total === undefined;
  const common = {
    "ref": scroller,
    "className": styles.scroller,
    "aria-label": label,
    "aria-busy": isBusy,
    "data-scroll-restoration-id": "rows",
    "data-old": isOld || undefined,
    "data-selecting": select?.isSelecting || undefined,
    onKeyDown,
    "onFocus": (event: { target: EventTarget }) => {
      const row = event.target instanceof Element && event.target.closest("[data-index]");
      setFocused(row ? Number(row.getAttribute("data-index")) : undefined);
    },
    "onBlur": () => setFocused(undefined),
  };
  const bodyStyle = pages ? {} : { blockSize: count * rowSize };
  const rowStyle = (index: number): CSSProperties => ({
    blockSize: rowSize,
    ...(!pages && {
      position: "absolute",
      insetInline: 0,
      transform: `translateY(${index * rowSize}px)`,
    }),
  });
  const rowProps = (index: number) => {
    const row = rows.at(index);
    return {
      row,
      style: rowStyle(index),
      index,
      isMarked: row !== undefined && marks.has(row),
      onMark: select && ((isRange: boolean) => void marks.toggle(index, isRange)),
      select,
      ...props,
    };
  };

  if (isPhone)
    return (
      <div {...common} {...longPress} role="list">
        <div className={styles.body} style={bodyStyle} role="presentation">
          {indexes.map((index) => (
            <PhoneRow
              key={index}
              {...rowProps(index)}
              setSize={rows.total ?? -1}
              onLongPress={() => {
                wasLongPress.current = true;
              }}
            />
          ))}
        </div>
      </div>
    );

  const template = columns
    .map(({ id, width: [smallest, share] }) => {
      const width = props.widths?.[id];
      return width === undefined ? `minmax(${smallest}px, ${share}fr)` : `${width}px`;
    })
    .join(" ");
  const narrowest = columns.reduce(
    (sum, { id, width }) => sum + (props.widths?.[id] ?? width[0]),
    0,
  );
  return (
    <div
      {...common}
      role="table"
      aria-rowcount={rows.total === undefined ? -1 : rows.total + 1}
      style={{ "--template": template, "--narrowest": `${narrowest}px` } as CSSProperties}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.row}>
          {columns.map((column, at) => (
            <Header key={column.id} column={column} {...props}>
              {at === 0 && select && <SelectAll select={select} total={rows.total ?? 0} />}
            </Header>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={bodyStyle}>
        {indexes.map((index) => (
          <TableRow key={index} {...rowProps(index)} />
        ))}
      </div>
    </div>
  );
}

/** Selecting with a checkbox, a key or a range. */
function useMarks<Row extends { id: string }>(rows: Rows<Row>, select: Selecting | undefined) {
  const anchor = useRef<{ key: string; index: number }>(undefined);
  const { isAll, ids } = select?.selection ?? NOTHING;
  return {
    has: (row: Row) => ids.has(row.id) !== isAll,
    toggle: async (index: number, isRange: boolean) => {
      const row = rows.at(index);
      if (!select || !row) return;
      const from = isRange && anchor.current?.key === rows.key ? anchor.current.index : index;
      const range =
        from === index ? [row] : await rows.between(Math.min(from, index), Math.max(from, index));
      const next = new Set(ids);
      // The whole range becomes what the row becomes.
      for (const { id } of range)
        if (ids.has(row.id)) next.delete(id);
        else next.add(id);
      anchor.current = { key: rows.key, index };
      select.onSelect({ isAll, ids: next });
    },
  };
}

type RowProps<Row extends { id: string }> = Props<Row> & {
  row: Row | undefined;
  index: number;
  style: CSSProperties;
  isMarked: boolean;
  onMark: ((isRange: boolean) => void) | undefined;
};

function TableRow<Row extends { id: string }>(props: RowProps<Row>) {
  const { row, index, style, columns, isMarked } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-marked={isMarked || undefined}
      data-index={index}
      className={styles.row}
      style={style}
    >
      {columns.map((column, at) => (
        <div role="cell" key={column.id} className={at === 0 ? styles.first : styles.cell}>
          {row === undefined ? (
            <Skeleton height={14} width={at === 0 ? "60%" : "45%"} />
          ) : at === 0 ? (
            <>
              <Face {...props} row={row} />
              {column.cell(row)}
            </>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

function PhoneRow<Row extends { id: string }>(
  props: RowProps<Row> & { setSize: number; onLongPress: () => void },
) {
  const { row, index, style, phoneRow, select, isMarked, onMark, setSize, onLongPress } = props;
  const press = useLongPress(() => {
    if (!select || select.isSelecting) return;
    onLongPress();
    select.onSelecting();
    onMark?.(false);
  });
  return (
    <div
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={setSize}
      data-index={index}
      data-marked={isMarked || undefined}
      className={styles.phoneRow}
      style={style}
      {...press}
    >
      {row === undefined ? (
        <Skeleton height={14} width="60%" />
      ) : (
        <>
          <Face {...props} row={row} />
          {phoneRow(row)}
        </>
      )}
    </div>
  );
}

/** The face of a row and the checkbox over it, which appears on hover, on focus, and while anything is selected. */
function Face<Row extends { id: string }>({
  row,
  face,
  nameOf,
  select,
  isMarked,
  onMark,
}: RowProps<Row> & { row: Row }) {
  const { t } = useLingui();
  if (!select) return face?.(row);
  const name = nameOf(row);
  return (
    <span className={styles.face}>
      {face?.(row)}
      <label className={styles.mark}>
        <input
          type="checkbox"
          checked={isMarked}
          aria-label={t`Select ${name}`}
          onChange={(event) => onMark?.((event.nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
    </span>
  );
}

/** A finger that rests on a row, without moving, begins the selection. The menu of the page can begin it, too. */
function useLongPress(begin: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => stop, []);
  return {
    onPointerDown: ({ pointerType }: { pointerType: string }) => {
      if (pointerType !== "mouse") timer.current = setTimeout(begin, LONG_PRESS_MS);
    },
    onPointerMove: stop,
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}

function SelectAll({ select, total }: { select: Selecting; total: number }) {
  const { t } = useLingui();
  const { isAll, ids } = select.selection;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = ids.size > 0;
  });
  const isEverything = isAll && ids.size === 0;
  const count = formatNumber(total);
  return (
    <label className={styles.all}>
      <input
        ref={box}
        type="checkbox"
        checked={isEverything}
        aria-label={t`Select all ${count}`}
        onChange={() => select.onSelect(isEverything ? NOTHING : EVERYTHING)}
      />
    </label>
  );
}

function Header<Row extends { id: string }>({
  column,
  sort,
  onSort,
  widths,
  onWidth,
  children,
}: Props<Row> & { column: Column<Row>; children: ReactNode }) {
  const { t } = useLingui();
  const cell = useRef<HTMLDivElement>(null);
  const isSorted = column.sort !== undefined && sort?.replace(/^-/, "") === column.sort;
  const isDown = isSorted && sort?.startsWith("-");
  const { header } = column;
  return (
    <div
      ref={cell}
      role="columnheader"
      className={styles.header}
      aria-sort={isSorted ? (isDown ? "descending" : "ascending") : undefined}
    >
      {children}
      {column.sort !== undefined && onSort ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => onSort(isSorted && !isDown ? `-${column.sort}` : `${column.sort}`)}
        >
          {header}
          {isSorted && (isDown ? <ArrowDown size={13} /> : <ArrowUp size={13} />)}
        </button>
      ) : (
        <span className={styles.title}>{header}</span>
      )}
      {onWidth && (
        <Handle
          cell={cell}
          label={t`Width of ${header}`}
          width={widths?.[column.id]}
          smallest={column.width[0]}
          onWidth={(width) => onWidth(column.id, width)}
        />
      )}
    </div>
  );
}

/** The edge of a column: drag it, or use the arrow keys. */
function Handle({
  cell,
  label,
  width,
  smallest,
  onWidth,
}: {
  cell: RefObject<HTMLDivElement | null>;
  label: string;
  width: number | undefined;
  smallest: number;
  onWidth: (width: number) => void;
}) {
  const begun = useRef<{ x: number; width: number }>(undefined);
  const now = () => width ?? Math.round(cell.current?.getBoundingClientRect().width ?? 0);
  const direction = () =>
    cell.current && getComputedStyle(cell.current).direction === "rtl" ? -1 : 1;
  const change = (next: number) => onWidth(Math.max(NARROWEST, Math.round(next)));
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={NARROWEST}
      aria-valuenow={width ?? smallest}
      tabIndex={0}
      className={styles.handle}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width: now() };
      }}
      onPointerMove={({ clientX }) => {
        if (begun.current) change(begun.current.width + (clientX - begun.current.x) * direction());
      }}
      onPointerUp={() => {
        begun.current = undefined;
      }}
      onPointerCancel={() => {
        begun.current = undefined;
      }}
      onKeyDown={({ key }) => {
        if (key === "ArrowRight") change(now() + 16 * direction());
        if (key === "ArrowLeft") change(now() - 16 * direction());
      }}
    />
  );
}

/** Links to the first, the last and the neighboring pages. */
function Pages({
  label,
  total,
  page,
  link,
}: {
  label: string;
  total: number;
  page: number;
  link: (page: number) => LinkProps;
}) {
  const last = Math.max(1, Math.ceil(total / PAGE));
  const shown = [...new Set([1, page - 1, page, page + 1, last])]
    .filter((one) => one >= 1 && one <= last)
    .sort((a, b) => a - b);
  return (
    <nav className={styles.pages} aria-label={label}>
      {shown.map((one, at) => (
        <span key={one}>
          {at > 0 && one - (shown[at - 1] ?? one) > 1 && <span aria-hidden="true">…</span>}
          <Link {...link(one)} aria-current={one === page ? "page" : undefined}>
            {formatNumber(one)}
          </Link>
        </span>
      ))}
    </nav>
  );
}

/** What is selected, and what can be done with it. It stands where the filters stand otherwise. */
export function SelectionBar({
  selection,
  total,
  onSelect,
  children,
}: {
  selection: Selection;
  total: number;
  onSelect: (selection: Selection) => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const count = selectedCount(selection, total);
  const all = formatNumber(total);
  return (
    <div className={styles.selection}>
      <IconButton
        label={t`Cancel selection`}
        icon={<X size={17} />}
        onClick={() => onSelect(NOTHING)}
      />
      <strong role="status">
        <Plural value={count} one="# selected" other="# selected" />
      </strong>
      {total > count && (
        <Button kind="quiet" onClick={() => onSelect(EVERYTHING)}>
          <Trans>Select all {all}</Trans>
        </Button>
      )}
      {children}
    </div>
  );
}
