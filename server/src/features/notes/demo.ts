import type { DemoAccount } from "../../sample-data/demo-account.ts";

interface DemoNote {
  about: { type: "people" | "cells"; name: string };
  author: string;
  text: string;
  kind: string;
  visibility: "scope" | "staff" | "confidential";
  daysAgo: number;
  followUp?: { assignee: string; inDays: number; status: "open" | "done" };
}

const SECRETARY = "Hannah Whitfield";
const LEADER = "Miguel Ângelo Carvalho";

const notes: readonly DemoNote[] = [
  {
    about: { type: "people", name: "Emma Clarke" },
    author: SECRETARY,
    text: "Called after her first visit. She and Oliver want to meet other couples.",
    kind: "call",
    visibility: "scope",
    daysAgo: 6,
    followUp: { assignee: "Samuel Adeyemi", inDays: 2, status: "open" },
  },
  {
    about: { type: "people", name: "Álvaro Gusmão" },
    author: SECRETARY,
    text: "Home again after the operation. He is glad of visits in the afternoon.",
    kind: "visit",
    visibility: "staff",
    daysAgo: 12,
    followUp: { assignee: "Graça Carvalho", inDays: -3, status: "open" },
  },
  {
    about: { type: "people", name: "Otto Baumgärtner" },
    author: LEADER,
    text: "Missed three evenings. Works late shifts until the end of the month.",
    kind: "conversation",
    visibility: "scope",
    daysAgo: 9,
    followUp: { assignee: LEADER, inDays: -1, status: "done" },
  },
  {
    about: { type: "people", name: "Raquel Monteiro" },
    author: LEADER,
    text: "Asked for prayer about a matter that she wants to keep private.",
    kind: "conversation",
    visibility: "confidential",
    daysAgo: 4,
  },
  {
    about: { type: "people", name: "Catarina Teixeira" },
    author: SECRETARY,
    text: "New address since the summer. The family needs help with the move.",
    kind: "office",
    visibility: "scope",
    daysAgo: 30,
  },
  {
    about: { type: "cells", name: "Alfama" },
    author: LEADER,
    text: "The living room is full. We think of multiplying next year.",
    kind: "plan",
    visibility: "scope",
    daysAgo: 15,
  },
];

const columns = { people: "about_person_id", cells: "about_cell_id" } as const;

export async function addDemo(account: DemoAccount): Promise<void> {
  const { accountId, tx } = account;
  for (const { about, author, daysAgo, followUp, kind, text, visibility } of notes) {
    const id = account.newId("notes", text);
    const authorId = account.idOf("people", author);
    await account.insert("notes", [
      {
        id,
        [columns[about.type]]: account.idOf(about.type, about.name),
        author_id: authorId,
        assignee_id: followUp ? account.idOf("people", followUp.assignee) : null,
        text,
        kind,
        visibility,
        created_by: authorId,
        modified_by: authorId,
      },
    ]);
    await tx`
      update notes set created_at = now() - ${daysAgo} * interval '1 day',
        modified_at = now() - ${daysAgo} * interval '1 day',
        follow_up_on = current_date + ${followUp?.inDays ?? null}::integer,
        follow_up_status = ${followUp?.status ?? null}
      where account_id = ${accountId} and id = ${id}`;
  }
}
