import { useEffect } from "react";
import { ofTab } from "../data/kept.ts";

/** A record that was opened. The palette offers the last eight, and the tab alone keeps them. */
export type RecentRecord = { type: "people" | "cells"; id: string; name: string };

const KEPT = 8;

export const recentRecords = (): RecentRecord[] => ofTab.get<RecentRecord[]>("recent") ?? [];

/** The tab keeps no name of a person whom the reader removed. */
export function forgetRecent(id: string): void {
  ofTab.set(
    "recent",
    recentRecords().filter((one) => one.id !== id),
  );
}

/** Notes that a person or a group was opened. `name` is undefined until it has been read. */
export function useRecent(type: RecentRecord["type"], id: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    const others = recentRecords().filter((one) => one.id !== id);
    ofTab.set("recent", [{ type, id, name }, ...others].slice(0, KEPT));
  }, [type, id, name]);
}
