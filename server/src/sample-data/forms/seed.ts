import { DAY, MINUTE } from "../../base/clock.ts";
import { writeSearchText } from "../../features/forms/submissions/search-text.ts";
import type { Value } from "../../store/insert-rows.ts";
import { draw, idOf, type Plan } from "../plan.ts";
import type { SeededAccount } from "../seeded-account.ts";

const fields = [
  { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
  { key: "email", type: "email", label: "E-mail", "maps-to": "email" },
  { key: "message", type: "long-text", label: "Your message" },
];

const messages = [
  "May I come with my children?",
  "Gostaria de conhecer um grupo.",
  "Wir sind neu in der Stadt.",
  "¿A qué hora es el culto?",
] as const;

const statuses = ["new", "new", "processed", "processed", "rejected", "spam"] as const;

const SUBMISSIONS_MAX = 500;

/** They arrived before this day and not before today, so that a seeded row is the same next year. */
const LAST_DAY_MS = Date.UTC(2025, 0, 1);
const DAYS = 300;

interface Person {
  id: string;
  name: string;
  email: string | null;
}

/** A form, and a submission for every twenty people. */
export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan, tx } = account;
  const form = idOf(plan, "forms", 0);
  const author = idOf(plan, "people", 0);
  await account.insert(
    "forms",
    ["id", "name", "slug", "status", "fields", "actions", "retention_days", "owner_id"],
    [
      [
        form,
        "New here?",
        "welcome",
        "open",
        fields,
        { "create-or-match-person": true },
        5 * 365,
        author,
      ],
    ],
  );
  await account.insert(
    "form_versions",
    ["id", "form_id", "number", "fields"],
    [[idOf(plan, "form-versions", 0), form, 1, fields]],
  );
  const count = Math.min(SUBMISSIONS_MAX, Math.ceil(plan.shape.people / 20));
  const people = await tx<Person[]>`
    select id, full_name as name, email from people
    where account_id = ${plan.accountId} order by id limit ${count}`;
  await account.insert(
    "form_submissions",
    columns,
    people.map((person, index) => submissionOf(plan, index, person)),
  );
  await writeSearchText(tx, plan.accountId);
}

const columns = [
  "id",
  "created_at",
  "modified_at",
  "submitted_at",
  "form_id",
  "form_version",
  "source",
  "answers",
  "status",
  "is_announced",
  "spam_score",
  "person_id",
  "results",
  "reviewed_by",
] as const;

/** A processed submission belongs to its person. The others are from people outside of the church. */
function submissionOf(plan: Plan, index: number, known: Person): readonly Value[] {
  const { die, id } = draw(plan, "form-submissions", index);
  const { female, family } = plan.language;
  const status = die.pick(statuses);
  const at = new Date(LAST_DAY_MS - die.below(DAYS * (DAY / MINUTE)) * MINUTE).toISOString();
  const isKnown = status === "processed";
  const name = isKnown ? known.name : `${die.pick(female)} ${die.pick(family)}`;
  const email = isKnown ? known.email : `visitor${index}@visitor.example`;
  return [
    id,
    at,
    at,
    at,
    idOf(plan, "forms", 0),
    1,
    "public",
    { "full-name": name, ...(email !== null && { email }), "message": die.pick(messages) },
    status,
    status !== "spam",
    status === "spam" ? 100 : 0,
    isKnown ? known.id : null,
    isKnown
      ? { "person-created": false, "cell-membership": null, "course-enrollment": null }
      : null,
    isKnown || status === "rejected" ? idOf(plan, "people", 0) : null,
  ];
}
