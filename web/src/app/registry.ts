import { useEffect, useRef } from "react";

/** What the screens on the page offer at present. A screen offers it while it is mounted. */
export function createRegistry<Entry>() {
  const offers = new Set<{ readonly current: readonly Entry[] }>();
  return {
    /** The newest offer is last. */
    all: (): Entry[] => [...offers].flatMap(({ current }) => current),
    useOffer: (entries: readonly Entry[]): void => {
      const offer = useRef(entries);
      useEffect(() => {
        offer.current = entries;
      });
      useEffect(() => {
        offers.add(offer);
        return () => void offers.delete(offer);
      }, []);
    },
  };
}
