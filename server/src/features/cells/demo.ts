import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../../sample-data/demo-account.ts";
import { addDemoMeetings } from "./meetings/demo.ts";
import { addToTree } from "./tree.ts";

interface DemoCell {
  name: string;
  /** 0 for a cell. */
  level?: number;
  /** A cell that is listed before it. */
  parent?: string;
  leaders: readonly string[];
  participants: readonly string[];
  /** The date of the closing, on which all members left. */
  closedOn?: string;
}

const cells: readonly DemoCell[] = [
  { name: "Lisboa", level: 2, leaders: ["António Ferreira"], participants: [] },
  {
    name: "Centro",
    level: 1,
    parent: "Lisboa",
    leaders: ["Paulo Sérgio Araújo"],
    participants: [],
  },
  {
    name: "Oeste",
    level: 1,
    parent: "Lisboa",
    leaders: ["Ruth Cohen-Almeida"],
    participants: [],
  },
  {
    name: "Alfama",
    parent: "Centro",
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
    parent: "Oeste",
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
    parent: "Centro",
    leaders: ["Beatriz Ferreira"],
    participants: ["Simão Carvalho", "Lena Vogel", "Sofía Ibáñez", "Ximena Peñalver"],
  },
  {
    name: "Deutschsprachiger Hauskreis",
    parent: "Oeste",
    leaders: ["Jürgen Schröder"],
    participants: ["Käthe Schröder", "Heike Großmann", "Matthias Jäger", "Zoë Müller-Santos"],
  },
  {
    name: "Grupo en español",
    parent: "Centro",
    leaders: ["María José García Núñez", "Íñigo Núñez Peña"],
    participants: ["Andrés Ibáñez", "Núria Puig i Vidal"],
  },
  {
    name: "Belém",
    parent: "Oeste",
    leaders: ["Thomas Ashworth"],
    participants: ["Eleanor Ashworth", "Björn Lindqvist", "Françoise Lefèvre"],
  },
  {
    name: "Jovens casais",
    parent: "Oeste",
    leaders: ["Felipe Brandão", "Carolina Brandão"],
    participants: ["Yara Quintão", "Nuno Araújo"],
  },
  {
    name: "Graça",
    parent: "Centro",
    leaders: ["Gonçalo Almeida"],
    participants: ["Lurdes Araújo", "Álvaro Gusmão", "Catarina Teixeira"],
  },
  {
    name: "Parque das Nações",
    parent: "Lisboa",
    leaders: ["Hannah Whitfield"],
    participants: ["Marta Carvalho"],
  },
  {
    name: "Sintra",
    parent: "Lisboa",
    leaders: ["Gonçalo Almeida"],
    participants: ["Rui Santos"],
    closedOn: "2025-12-31",
  },
];

/** People who ask to join a cell. The requests are pending. */
const requests = [
  { cell: "Graça", person: "Rui Santos", message: "I moved to the neighborhood." },
  { cell: "Belém", person: "Vítor Hugo Nogueira", message: "May I come with a friend?" },
];

/** Before the year of meetings that the account shows. */
const OPENED_AT = "2025-01-07T12:00:00Z";

export async function addDemo(account: DemoAccount): Promise<void> {
  for (const [place, cell] of cells.entries()) await addCell(account, cell, place);
  await account.insert("cell_join_requests", [
    ...requests.map(({ cell, message, person }) => {
      const person_id = account.idOf("people", person);
      return { ...requestFor(account, cell, message), person_id, created_by: person_id };
    }),
    {
      ...requestFor(account, "Alfama", null),
      contact: { "full-name": "Joana Prates", "phone": "+351910000090" },
    },
  ]);
  await addDemoMeetings(account);
}

const requestFor = (account: DemoAccount, cell: string, message: string | null) => ({
  id: newId(),
  cell_id: account.idOf("cells", cell),
  message,
  status: "pending",
  source: "staff",
  is_confirmed: false,
});

async function addCell(account: DemoAccount, cell: DemoCell, place: number): Promise<void> {
  const { closedOn, leaders, level = 0, name, parent, participants } = cell;
  const id = account.newId("cells", name);
  const parentId = parent === undefined ? null : account.idOf("cells", parent);
  const schedule = { weekday: 1 + (place % 5), starts_at: 1_200, ends_at: 1_290 };
  await account.insert("cells", [
    {
      id,
      name,
      parent_id: parentId,
      opened_at: OPENED_AT,
      ...(level > 0 ? { cell_type: "supervision", level } : schedule),
      ...(closedOn && { closed_at: `${closedOn}T20:00:00Z`, closing_reason: "The house was sold" }),
    },
  ]);
  await addToTree(account.tx, account.accountId, { cellId: id, parentId });
  const members = [
    ...leaders.map((person, index) => [person, index === 0 ? "leader" : "co-leader"] as const),
    ...participants.map((person) => [person, "participant"] as const),
  ];
  await account.insert(
    "cell_memberships",
    members.map(([person, cell_role]) => ({
      id: newId(),
      cell_id: id,
      person_id: account.idOf("people", person),
      cell_role,
      joined_on: OPENED_AT.slice(0, 10),
      ...(closedOn
        ? { status: "left", left_on: closedOn, left_reason: "cell-closed" }
        : { status: "active" }),
    })),
  );
}
