import { randomUUID } from "node:crypto";
import type { Vestry } from "@vestry/sdk";
import { type Login, PASSWORD } from "./service.ts";

/** A few letters that no other test uses, so that tests find what they made. */
export const unique = (): string => randomUUID().slice(0, 8);

/** A day of the church, counted from today. */
export const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** Lets a person log in, through a link as an office hands it out. */
export async function letIn(office: Vestry, personId: string): Promise<Login> {
  const { email } = await office.people.get(personId, { fields: { people: ["email"] } });
  const { token } = await invite(office, personId);
  await office.passwordResetConfirmations.create({ token, "new-password": PASSWORD });
  return { username: email ?? "", password: PASSWORD, account: "demo" };
}

export async function invite(
  office: Vestry,
  person: string,
): Promise<{ token: string; link: string }> {
  const { $meta } = await office.personInvitations.create({ person, delivery: "link" });
  return $meta as unknown as { token: string; link: string };
}

export type Group = {
  id: string;
  name: string;
  /** The meeting of yesterday, which waits for its report. */
  meeting: string;
  leader: string;
  /** The names of all members by id, the leader first. */
  members: ReadonlyMap<string, string>;
};

export const LEADERS_PHONE = "+351912345678";

const NAMES = [
  "Amélia Vaz",
  "Bruno Cruz",
  "Carla Dias",
  "Duarte Sá",
  "Elsa Pinho",
  "Filipe Maia",
  "Gina Prado",
  "Hélder Luz",
  "Irene Couto",
  "Jaime Fial",
  "Lídia Neves",
  "Marco Veiga",
  "Nádia Horta",
];

/** A group of 13 people, whose first one leads it and has an e-mail address and WhatsApp. */
export async function makeGroup(office: Vestry, parent: string | null = null): Promise<Group> {
  const mark = unique();
  const name = `Group ${mark}`;
  const cell = await office.cells.create({ name, parent, "starts-at": 1200, "ends-at": 1260 });
  const people = await Promise.all(
    NAMES.map((one, index) =>
      office.people.create({
        "full-name": `${one} ${mark}`,
        "membership-status": "member",
        ...(index === 0 && {
          "email": `leader-${mark}@bed.example`,
          "phones": [{ "number": LEADERS_PHONE, "is-whatsapp": true }],
        }),
      }),
    ),
  );
  await Promise.all(
    people.map((person, index) =>
      office.cellMemberships.create({
        cell,
        person,
        "cell-role": index === 0 ? "leader" : "participant",
        "joined-on": day(-30),
      }),
    ),
  );
  const meeting = await office.cellMeetings.create({ cell, date: day(-1) });
  const members = new Map(people.map((person) => [person.id, person["full-name"]]));
  const [leader] = people;
  if (leader === undefined) throw new Error("The group has no leader.");
  return { id: cell.id, name, meeting: meeting.id, leader: leader.id, members };
}

/** A person of the demo church with an e-mail address, who can be let in. */
export const makePerson = async (office: Vestry, name: string) =>
  office.people.create({ "full-name": name, "email": `${randomUUID()}@bed.example` });

/** A person who holds a preset role in the whole church. */
export async function makeHolder(office: Vestry, code: string) {
  const person = await makePerson(office, `Holder ${unique()}`);
  const { items } = await office.roles.page({ page: { size: 100 } });
  const role = items.find((one) => one.code === code);
  if (role === undefined) throw new Error(`There is no role ${code}.`);
  const assignment = await office.roleAssignments.create({ person, role, "scope-type": "account" });
  return { person, assignment, login: await letIn(office, person.id) };
}

/** A form that is open to the public and links people. */
export const makeForm = (office: Vestry) =>
  office.forms.create({
    name: `New here? ${unique()}`,
    status: "open",
    fields: [
      { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
      { key: "email", type: "email", label: "E-mail", required: true, "maps-to": "email" },
      { key: "occupation", type: "text", label: "Work", "maps-to": "occupation" },
    ],
    actions: { "create-or-match-person": true },
  });

/** What somebody wrote on paper. */
export const sendForm = (
  office: Vestry,
  form: { id: string },
  answers: Readonly<Record<string, unknown>>,
) => office.formSubmissions.create({ form, answers });

/** The network of another visitor, as a proxy names it. */
export const elsewhere = () => ({
  "X-Forwarded-For": `2001:db8:${randomUUID().slice(0, 4)}::1`,
});

/** A supervision with its leader, and a group below it. */
export async function makeNetwork(office: Vestry) {
  const mark = unique();
  const supervision = await office.cells.create({
    "name": `Network ${mark}`,
    "cell-type": "supervision",
    "level": 1,
  });
  const supervisor = await makePerson(office, `Simone ${mark}`);
  await office.cellMemberships.create({
    "cell": supervision,
    "person": supervisor,
    "cell-role": "leader",
    "joined-on": day(-30),
  });
  const group = await makeGroup(office, supervision.id);
  return { group, supervisor, login: await letIn(office, supervisor.id) };
}

/** What the service has of the report of a meeting. */
export async function reportOf(office: Vestry, meeting: string) {
  const { items } = await office.cellAttendances.page({
    filter: { meeting: [meeting] },
    include: ["person"],
    fields: { "cell-attendances": ["status", "is-visitor"], people: ["full-name"] },
    page: { size: 100 },
  });
  const count = (status: string) => items.filter((row) => row.status === status).length;
  return {
    present: count("present"),
    absent: count("absent"),
    excused: count("excused"),
    visitors: items.filter((row) => row["is-visitor"]).map(({ person }) => person?.["full-name"]),
  };
}
