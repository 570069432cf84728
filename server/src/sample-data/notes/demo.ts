import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../demo-account.ts";

interface DemoNote {
  about: readonly ["people" | "households" | "cells", name: string];
  author: string;
  text: string;
  kind: string;
  /** The cell of a leader or a supervisor who wrote it. */
  place?: string;
  visibility?: "scope" | "staff" | "confidential";
  daysAgo: number;
  followUp?: { inDays: number; status: "open" | "done"; assignee: string };
}

const notes: readonly DemoNote[] = [
  {
    about: ["people", "Emma Clarke"],
    author: "Graça Carvalho",
    place: "Campo de Ourique",
    text: "Met Emma and Oliver at the door. They live around the corner and asked about a house group.",
    kind: "visit",
    daysAgo: 20,
    followUp: { inDays: 3, status: "open", assignee: "Graça Carvalho" },
  },
  {
    about: ["people", "Hugo Bastos"],
    author: "Gonçalo Almeida",
    place: "Alfama",
    text: "Called. He was glad about the evening and wants to come again.",
    kind: "call",
    daysAgo: 18,
    followUp: { inDays: -10, status: "done", assignee: "Helena Matos" },
  },
  {
    about: ["people", "Lukas Weber"],
    author: "Raquel Monteiro",
    place: "Alfama",
    text: "He has not come for three weeks. Ask him how he is.",
    kind: "supervision",
    daysAgo: 1,
    followUp: { inDays: 2, status: "open", assignee: "Gonçalo Almeida" },
  },
  {
    about: ["people", "Conceição Ferreira"],
    author: "Hannah Whitfield",
    text: "Came home from the hospital. Would like a visit on a weekday morning.",
    kind: "visit",
    visibility: "staff",
    daysAgo: 6,
    followUp: { inDays: -1, status: "open", assignee: "Eleanor Ashworth" },
  },
  {
    about: ["people", "Heike Großmann"],
    author: "Thomas Ashworth",
    text: "A long talk about the separation. We meet again next month.",
    kind: "conversation",
    visibility: "confidential",
    daysAgo: 12,
    followUp: { inDays: 18, status: "open", assignee: "Thomas Ashworth" },
  },
  {
    about: ["households", "Nunes"],
    author: "Hannah Whitfield",
    text: "New address from next month. The letter comes with the new telephone number.",
    kind: "office",
    daysAgo: 9,
    followUp: { inDays: 21, status: "open", assignee: "Hannah Whitfield" },
  },
  {
    about: ["cells", "Alcântara"],
    author: "Miguel Ângelo Carvalho",
    place: "Alcântara",
    text: "Three reports are missing. Tiago travels a lot this month, so Marta will write them.",
    kind: "supervision",
    daysAgo: 2,
    followUp: { inDays: 5, status: "open", assignee: "Marta Lopes" },
  },
  {
    about: ["cells", "Alfama"],
    author: "Raquel Monteiro",
    place: "Alfama",
    text: "The living room is too small. Helena is ready to lead.",
    kind: "supervision",
    daysAgo: 4,
  },
];

/** Notes of the last weeks, with follow-ups that are done, open and overdue. */
export async function addDemo(account: DemoAccount): Promise<void> {
  const clock = await account.clock();
  await account.insert(
    "notes",
    notes.map(({ about: [type, name], author, place, ...note }) => {
      const { daysAgo, followUp, kind, text, visibility } = note;
      const about = account.idOf(type, name);
      const author_id = account.idOf("people", author);
      const written = `${clock.daysAgo(daysAgo)}T11:00:00Z`;
      return {
        id: newId(),
        created_at: written,
        modified_at: written,
        created_by: author_id,
        modified_by: author_id,
        about_person_id: type === "people" ? about : null,
        about_household_id: type === "households" ? about : null,
        about_cell_id: type === "cells" ? about : null,
        author_id,
        place_id: place === undefined ? null : account.idOf("cells", place),
        assignee_id: followUp ? account.idOf("people", followUp.assignee) : null,
        text,
        kind,
        visibility: visibility ?? "scope",
        follow_up_on: followUp ? clock.daysAgo(-followUp.inDays) : null,
        follow_up_status: followUp?.status ?? null,
      };
    }),
  );
}
