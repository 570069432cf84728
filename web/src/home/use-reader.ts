import { useEffect, useState } from "react";

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll"] as const;

/** Whether the reader has moved, scrolled or pressed something since the page was opened. */
export function useReader(): boolean {
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    if (isHere) return;
    const notice = () => setHere(true);
    for (const sign of SIGNS) addEventListener(sign, notice, { passive: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, notice);
    };
  }, [isHere]);
  return isHere;
}
