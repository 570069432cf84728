import type { DemoAccount } from "../demo-account.ts";

interface DemoTag {
  name: string;
  color: string;
  appliesTo: readonly string[];
  people?: readonly string[];
}

const tags: readonly DemoTag[] = [
  {
    name: "Plays on Sundays",
    color: "#3366cc",
    appliesTo: ["people"],
    people: ["Samuel Adeyemi", "Beatriz Ferreira", "Simão Carvalho", "Núria Puig i Vidal"],
  },
  {
    name: "Prayer chain",
    color: "#7a4fb5",
    appliesTo: ["people"],
    people: [
      "Conceição Ferreira",
      "Isabel Fonseca",
      "Dulce da Silva",
      "Siân Hughes",
      "Käthe Schröder",
    ],
  },
  {
    name: "New here",
    color: "#2e8b57",
    appliesTo: ["people"],
    people: ["Emma Clarke", "Oliver Clarke", "Hugo Bastos", "Vera Antunes", "Ximena Peñalver"],
  },
  {
    name: "Needs a lift",
    color: "#cc7722",
    appliesTo: ["people"],
    people: ["Conceição Ferreira", "Álvaro Gusmão", "Otto Baumgärtner"],
  },
  { name: "Open to guests", color: "#c0392b", appliesTo: ["courses", "cells"] },
];

/** Courses and later types add themselves to these tags. */
export async function addDemo(account: DemoAccount): Promise<void> {
  await account.insert(
    "tags",
    tags.map(({ appliesTo, color, name }) => ({
      id: account.newId("tags", name),
      name,
      color,
      applies_to: appliesTo,
    })),
  );
  await account.insert(
    "person_tags",
    tags.flatMap(({ name, people = [] }) =>
      people.map((person) => ({
        person_id: account.idOf("people", person),
        tag_id: account.idOf("tags", name),
      })),
    ),
  );
}
