import { useState } from "react";
import { NOTHING, type Selection, selectedCount } from "./data-list.tsx";

/** The selected rows of a question. The rows of another question are others, so none of them is selected. */
export function useSelection(question: string, total: number) {
  const none = { question, selection: NOTHING, isSelecting: false };
  const [marks, setMarks] = useState(none);
  const { selection, isSelecting } = marks.question === question ? marks : none;
  return {
    selection,
    isSelecting,
    onSelect: (next: Selection) =>
      setMarks(
        selectedCount(next, total) > 0 ? { question, selection: next, isSelecting: true } : none,
      ),
    onSelecting: () => setMarks({ question, selection, isSelecting: true }),
  };
}
