import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFirstContent } from "../app/first-content.ts";

/** Reads and draws its content when its place comes into view, after the cards above it have what they read. */
export function WhenSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const isFirstThere = useFirstContent();
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isFirstThere || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isFirstThere]);
  return isSeen ? children : <div ref={place} />;
}
