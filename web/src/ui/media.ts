import { useSyncExternalStore } from "react";

/** Whether the window matches a media query, now and after every change. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** The width below which a row is one block and the menu stands at the bottom. */
export const useIsPhone = () => useMedia("(max-width: 48rem)");
