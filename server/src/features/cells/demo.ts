import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../../sample-data/demo-account.ts";
import { addDemoMeetings } from "./meetings/demo.ts";
import { addToTree } from "./tree.ts";

interface DemoCell {
  name: string;
  leaders: readonly string[];
  participants: readonly string[];
}

const cells: readonly DemoCell[] = [
  {
    name: "Alfama",
    leaders: ["Miguel Ângelo Carvalho", "Graça Carvalho"],
    participants: [
      "Ana Beatriz Oliveira",
      "João Pedro Oliveira",
      "Conceição Ferreira",
      "Lukas Weber",
      "Raquel Monteiro",
      "Otto Baumgärtner",
    ],
  },
  {
    name: "Campo de Ourique",
    leaders: ["Samuel Adeyemi"],
    participants: [
      "Folake Adeyemi",
      "Priya Nair",
      "Grace O'Connor",
      "Daniel Kowalczyk",
      "Emma Clarke",
      "Oliver Clarke",
    ],
  },
  {
    name: "Jovens do Castelo",
    leaders: ["Beatriz Ferreira"],
    participants: ["Simão Carvalho", "Lena Vogel", "Sofía Ibáñez", "Ximena Peñalver"],
  },
  {
    name: "Deutschsprachiger Hauskreis",
    leaders: ["Jürgen Schröder"],
    participants: ["Käthe Schröder", "Heike Großmann", "Matthias Jäger", "Zoë Müller-Santos"],
  },
];

/** Before the year of meetings that the account shows. */
const OPENED_AT = "2025-01-07T12:00:00Z";

export async function addDemo(account: DemoAccount): Promise<void> {
  for (const [place, { leaders, name, participants }] of cells.entries()) {
    const cell_id = account.newId("cells", name);
    const schedule = { weekday: 2 + place, starts_at: 1_200, ends_at: 1_290 };
    await account.insert("cells", [{ id: cell_id, name, ...schedule, opened_at: OPENED_AT }]);
    await addToTree(account.tx, account.accountId, { cellId: cell_id, parentId: null });
    const members = [
      ...leaders.map((person, index) => [person, index === 0 ? "leader" : "co-leader"] as const),
      ...participants.map((person) => [person, "participant"] as const),
    ];
    await account.insert(
      "cell_memberships",
      members.map(([person, cell_role]) => ({
        id: newId(),
        cell_id,
        person_id: account.idOf("people", person),
        cell_role,
        status: "active",
        joined_on: OPENED_AT.slice(0, 10),
      })),
    );
  }
  await addDemoMeetings(account);
}
