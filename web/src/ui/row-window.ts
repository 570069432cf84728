import { type RefObject, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Rows above and below the visible ones, so that a scroll does not begin with an empty line. */
const OVERSCAN = 6;

/** The visible rows of a scroller, in which all rows have one height and a head covers the top. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  {
    count,
    height,
    head,
    firstTop,
    isOn,
  }: { count: number; height: number; head: number; firstTop: number; isOn: boolean },
) {
  const [shown, setShown] = useState(() => {
    const first = Math.floor(firstTop / height);
    return { first, last: first };
  });

  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = firstTop;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Later, only the person scrolls.
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !isOn) return;
    const measure = () => {
      const { scrollTop, clientHeight } = element;
      const first = Math.floor(scrollTop / height);
      const last = Math.max(first, Math.ceil((scrollTop + clientHeight - head) / height) - 1);
      setShown((old) => (old.first === first && old.last === last ? old : { first, last }));
    };
    // A later frame would show the rows that were scrolled away.
    const follow = () => flushSync(measure);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, [scroller, height, head, isOn]);

  const end = Math.max(0, count - 1);
  const first = Math.min(shown.first, end);
  const last = Math.min(shown.last, end);
  const from = Math.max(0, first - OVERSCAN);
  return {
    first,
    last,
    indexes: Array.from(
      { length: Math.min(count, last + OVERSCAN + 1) - from },
      (_, at) => from + at,
    ),
    /** Scrolls no further than the row needs. */
    reveal(index: number): void {
      const element = scroller.current;
      if (!element) return;
      const top = index * height;
      const bottom = top + height + head - element.clientHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop) element.scrollTop = bottom;
    },
  };
}
