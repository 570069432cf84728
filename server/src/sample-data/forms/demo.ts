import { writeSearchText } from "../../features/forms/submissions/search-text.ts";
import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../demo-account.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const fields = [
  { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
  { key: "email", type: "email", label: "E-mail", required: true, "maps-to": "email" },
  { key: "phone", type: "phone", label: "Telephone", "maps-to": "phone" },
  {
    key: "found-us",
    type: "select",
    label: "How did you find us?",
    options: [
      { value: "friends", label: "Friends" },
      { value: "walk", label: "I walked by" },
      { value: "web", label: "The website" },
      { value: "other", label: "Another way" },
    ],
  },
  {
    "key": "found-how",
    "type": "text",
    "label": "Which way?",
    "show-if": { field: "found-us", equals: "other" },
  },
  { key: "question", type: "long-text", label: "Is there something you would like to ask?" },
];

const privacyNotice =
  "We use your answers to welcome you. Only the office reads them, and we delete them after a year.";

interface DemoSubmission {
  answers: Record<string, string>;
  daysAgo: number;
  status: "new" | "processed" | "rejected" | "spam";
  source?: "staff";
  spamScore?: number;
  /** A person whom the service suggests. */
  suggests?: string;
  /** The person who was created. */
  created?: string;
}

const submissions: readonly DemoSubmission[] = [
  {
    answers: {
      "full-name": "Matilde Brandão",
      "email": "matilde.brandao@mail.example",
      "phone": "+351910000090",
      "found-us": "friends",
      "question": "Is there a service for families with small children?",
    },
    daysAgo: 1,
    status: "new",
  },
  {
    answers: {
      "full-name": "Emma J. Clarke",
      "email": "emma.clarke@mail.example",
      "phone": "+447700900027",
      "found-us": "walk",
      "question": "We would like to join a house group.",
    },
    daysAgo: 2,
    status: "new",
    suggests: "Emma Clarke",
  },
  {
    answers: {
      "full-name": "Hugo Bastos",
      "email": "hugo.bastos@mail.example",
      "phone": "+351910000069",
      "found-us": "other",
      "found-how": "A poster at the station",
    },
    daysAgo: 40,
    status: "processed",
    created: "Hugo Bastos",
  },
  {
    answers: {
      "full-name": "Rádio Central",
      "email": "redaccao@radio.example",
      "question": "May we film the concert?",
    },
    daysAgo: 12,
    status: "rejected",
    source: "staff",
  },
  {
    answers: {
      "full-name": "Best Offers",
      "email": "offers@spam.example",
      "question": "Cheap watches at http://watches.example and http://more.example",
    },
    daysAgo: 5,
    status: "spam",
    spamScore: 90,
  },
];

/** A form of the website, with submissions in each state, and a visitor who asks for a place in a class. */
export async function addDemo(account: DemoAccount): Promise<void> {
  const { nowMs } = await account.clock();
  const at = (daysAgo: number) => new Date(nowMs - daysAgo * DAY_MS).toISOString();
  const owner = account.idOf("people", "Hannah Whitfield");
  const form_id = account.newId("forms", "New here?");
  const made = { created_at: at(90), created_by: owner, modified_by: owner };
  await account.insert("forms", [
    {
      ...made,
      id: form_id,
      name: "New here?",
      description: "Tell us who you are, and we will write to you within two days.",
      slug: "welcome",
      status: "open",
      fields,
      privacy_notice: privacyNotice,
      actions: {
        "create-or-match-person": true,
        "add-to-cell": null,
        "enroll-in-class": null,
        "notify": [owner],
      },
      confirmation_message: "Thank you! We are glad that you came.",
      owner_id: owner,
    },
  ]);
  await account.insert("form_notified_people", [{ form_id, person_id: owner }]);
  await account.insert("form_versions", [
    { ...made, id: newId(), form_id, number: 1, fields, privacy_notice: privacyNotice },
  ]);
  const rows = submissions.map((one) => ({
    ...one,
    id: account.newId("form-submissions", one.answers["full-name"] ?? ""),
  }));
  await account.insert(
    "form_submissions",
    rows.map(({ answers, created, daysAgo, id, source = "public", spamScore = 0, status }) => ({
      id,
      created_at: at(daysAgo),
      submitted_at: at(daysAgo),
      form_id,
      form_version: 1,
      answers,
      status,
      is_announced: status !== "spam",
      source,
      consent: { "version": 1, "granted-at": at(daysAgo) },
      is_confirmed: false,
      spam_score: spamScore,
      person_id: created === undefined ? null : account.idOf("people", created),
      results:
        created === undefined
          ? null
          : { "person-created": true, "cell-membership": null, "course-enrollment": null },
      reviewed_by: status === "processed" || status === "rejected" ? owner : null,
    })),
  );
  await writeSearchText(account.tx, account.accountId);
  await account.insert(
    "form_submission_suggestions",
    rows.flatMap(({ id, suggests }) =>
      suggests === undefined
        ? []
        : [{ submission_id: id, person_id: account.idOf("people", suggests), position: 1 }],
    ),
  );
  await account.insert("course_enrollment_requests", [
    {
      id: newId(),
      created_at: at(3),
      class_id: account.idOf("course-classes", "Next term"),
      course_id: await courseOf(account, "Next term"),
      contact: { "full-name": "Inês Falcão", "email": "ines.falcao@mail.example" },
      message: "I sang in a choir at school. Is that enough?",
      status: "pending",
      source: "public",
      is_confirmed: true,
    },
  ]);
}

async function courseOf(account: DemoAccount, name: string): Promise<string | undefined> {
  const [row] = await account.tx<{ course: string }[]>`
    select course_id as course from course_classes
    where account_id = ${account.accountId} and id = ${account.idOf("course-classes", name)}`;
  return row?.course;
}
