import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Whether the first screen has what it reads. What the person does not wait for starts after it. */
export function useFirstContent(): boolean {
  const isReading = useIsFetching() > 0;
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (isReading) return;
    // Safari has no idle callbacks.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(() => setThere(true), 500);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(() => setThere(true));
    return () => cancelIdleCallback(idle);
  }, [isReading]);
  return isThere;
}
