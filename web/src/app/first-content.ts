import { useIsFetching } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Whether the first screen has what it reads. What the person does not wait for starts after it. */
export function useFirstContent(): boolean {
  // A route can still look for its screen, or load it.
  const isRouting = useRouterState({ select: ({ status }) => status === "pending" });
  const isReading = useIsFetching() > 0 || isRouting;
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
