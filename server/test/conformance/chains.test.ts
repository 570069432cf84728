import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { newAccessToken } from "../../src/access/tokens.ts";
import { newId } from "../../src/base/ids.ts";
import { describedCatalogue as catalogue } from "../../src/catalogue.ts";
import { policyOf } from "../../src/jsonapi/definition/operations.ts";
import { json } from "../../src/store/sql.ts";
import { join } from "../support/cells.ts";
import { copyAccount } from "../support/copy-account.ts";
import { freshDatabase } from "../support/database.ts";
import { makeForm } from "../support/forms.ts";
import { confirm } from "../support/invitations.ts";
import { makeAssignment, makePerson, makeRow } from "../support/make.ts";
import { sample } from "../support/sample.ts";
import { type Answer, document, one, startService } from "../support/service.ts";
import { makeLogin } from "../support/sign-in.ts";
import { makeStage } from "../support/standings.ts";
import { type Act, actsOf, type Cast } from "./acts.ts";

/**
 * Lawful acts that add up to a right. One person acts on a subject, then a colleague gives the subject something, then the person does
 * every act that the catalogue offers. Afterwards the person reads no secret and holds no right beyond those that they had before, or
 * that the act of the colleague alone gives them. A person who can use the log-in of the subject has everything that the subject has.
 */

const database = await freshDatabase("no worker sends the invitations");
const service = await startService({ database, sendsMail: true });
after(() => service.stop());
const { account, db } = service;
const { id: accountId } = account;
const stage = await makeStage(service);
const { places, people: presets } = stage;
await db`update course_classes set status = 'open' where account_id = ${accountId}`;

const newPerson = () => makePerson(db, accountId);
const expiring = await newPerson();
await makeAssignment(db, accountId, { personId: expiring.id, role: "pastor" });
await db`
  update role_assignments set valid_until = now() + interval '1 day'
  where account_id = ${accountId} and person_id = ${expiring.id}`;
const assistant = await newPerson();
const everything = await makeRow(db, "roles", accountId, {
  name: "Everything",
  permissions: json([...catalogue.declared.permissions]),
} as never);
await makeRow(db, "role_assignments", accountId, {
  person_id: assistant.id,
  role_id: everything,
  scope_type: "course-class",
  scope_ids: [places.courseClass],
});
const restricted = await newPerson();
/** Full administrators may assign each role to themselves, so no act gives them more. Others hold what trainees and members hold. */
const presetCallers = [
  "administrator",
  "pastor",
  "secretary",
  "supervisor",
  "cell leader",
  "course coordinator",
  "teacher",
] as const;
const callers: Readonly<Record<string, { id: string }>> = {
  ...Object.fromEntries(presetCallers.map((standing) => [standing, presets[standing]])),
  "pastor until tomorrow": expiring,
  "holder of everything at the class": assistant,
  "restricted member of the household": restricted,
};

// Each secret is a text, and the texts differ.
const NUMBER = "+5511987650001";
const secrets = {
  "the number": NUMBER,
  "the medical notes": "Penicillin",
  "the address": "Hidden Street",
  "the note of the other cell": "Told the other leader",
  "the note of the staff": "Told the staff",
  "a confidential note": "Told in confidence",
  "a note that a colleague follows up": "Told the colleague",
  "whose address it is": '"match":"suggested"',
} as const;
type Secret = keyof typeof secrets;

const email = "rita@home.example";
const made = await service.post(
  "/v1/people",
  document("people", {
    "full-name": "Rita Souza",
    email,
    "phones": [{ number: NUMBER }],
    "medical-notes": secrets["the medical notes"],
    "address": { street: secrets["the address"], country: "BR" },
  }),
);
const stranger = one(made);
const membership = await makeRow(db, "cell_memberships", accountId, {
  cell_id: places.far,
  person_id: stranger.id,
});
const farLeader = await newPerson();
await join(db, accountId, places.far, farLeader.id, { cell_role: "leader" });
const confessor = await makeLogin(db, account, "confessor");
const colleague = await makeLogin(db, account, "colleague");
await makeAssignment(db, accountId, { personId: colleague.id, role: "pastor" });
const household = await makeRow(db, "households", accountId, {
  name: "Souza",
  address: JSON.stringify({ street: secrets["the address"], country: "BR" }),
});
const inHousehold = (person_id: string, may_pick_up: string | null = null) =>
  makeRow(db, "household_memberships", accountId, {
    household_id: household,
    person_id,
    may_pick_up,
  });
await inHousehold(stranger.id);
await inHousehold(restricted.id, "restricted");
const note = (text: Secret, author_id: string, columns: Record<string, string> = {}) =>
  makeRow(db, "notes", accountId, {
    text: secrets[text],
    about_person_id: stranger.id,
    author_id,
    ...columns,
  });
const confidential = { visibility: "confidential" };
const ofOtherCell = await note("the note of the other cell", farLeader.id, {
  place_id: places.far,
});
await note("the note of the staff", farLeader.id, { visibility: "staff" });
const ofConfessor = await note("a confidential note", confessor.id, confidential);
await note("a note that a colleague follows up", confessor.id, {
  ...confidential,
  assignee_id: colleague.id,
});
const form = await makeForm(service, {}, { course: places.course });

const subjects = { stranger, confessor, colleague } as const;
type Subject = keyof typeof subjects;
const MAILBOX = "mailbox@caller.example";

const [pastorRole] = await db<{ id: string }[]>`
  select id from roles where account_id = ${accountId} and code = 'pastor'`;

const castOf = (caller: { id: string } | undefined, subject: Subject): Cast => ({
  people: { subject: subjects[subject].id, ...(caller && { caller: caller.id }) },
  rows: new Map<string, readonly string[]>([
    ["people", [subjects[subject].id]],
    ["cells", [places.own, places.sector]],
    ["courses", [places.course]],
    ["course-classes", [places.courseClass]],
    ["roles", [pastorRole?.id ?? ""]],
    ["forms", [form]],
    ["notes", [ofOtherCell, ofConfessor]],
    ["households", [household]],
    ["cell-memberships", [membership]],
  ]),
  sends: {
    "role-assignments": [{ "scope-type": "account" }],
    "course-enrollments": [{}, { "new-person": { "full-name": "Rita Souza", "phone": NUMBER } }],
    "form-submissions": [{ answers: { "full-name": "Ana", email } }],
  },
  mailbox: MAILBOX,
});

const nothing: Act = { name: "nothing", type: "", method: "", path: "", body: undefined };
function colleagueActs(subject: Subject): readonly Act[] {
  const about = actsOf(catalogue, castOf(undefined, subject)).filter(
    (one) => gives(one) && JSON.stringify(one).includes(subjects[subject].id),
  );
  const byType = [...Map.groupBy(about, ({ type }) => type).values()];
  return [nothing, ...byType.flatMap((some) => some.slice(0, 1))];
}

/** The acts of a colleague that give a right to the subject, or bring the subject into a scope. */
function gives({ body, name, type }: Act): boolean {
  const resource = catalogue.resources.get(type);
  const sent = JSON.stringify(body);
  const leads = Object.values(catalogue.resources.get("people")?.reach ?? {})
    .flatMap((one) => [one].flat())
    .some((path) => "table" in path && path.table === resource?.table);
  return (
    (leads && name.startsWith("create ") && !sent.includes("new-person")) ||
    Object.entries({ ...resource?.attributes, ...resource?.relationships }).some(
      ([member, one]) =>
        ("changesRights" in one || "givesRights" in one) &&
        (sent.includes(`"${member}"`) || name.includes(` ${member}=`)),
    )
  );
}

interface Chain {
  caller: string;
  subject: Subject;
  /** The type of the first acts of the caller. */
  first: string;
  given: Act;
}

/** The permissions of a role or of a status. */
const permissionsOf = (code: string | null, own: readonly string[] = []): readonly string[] =>
  code === "full-administrator"
    ? [...catalogue.declared.permissions]
    : [...own, ...(catalogue.declared.presets.get(code ?? "") ?? [])];

const everyones = catalogue.declared.everyone.flatMap(({ permissions }) => permissions);

/** Types about which the caller may do nothing have no act that succeeds. */
function mayWrite(permissions: ReadonlySet<string>, type: string): boolean {
  const { create, update } = catalogue.resources.get(type)?.operations ?? {};
  return [create, update].some((operation) => {
    const policy = operation && policyOf(operation);
    return policy?.kind === "permission" && policy.permissions.some((one) => permissions.has(one));
  });
}

/** The rights of a person as `permission at place`, with the time at which each ends. */
async function rightsOf(inAccount: string, personId: string): Promise<Map<string, number>> {
  const held = await db<
    {
      code: string | null;
      permissions: string[];
      type: string;
      ids: string[];
      until: Date | null;
      below: string[];
    }[]
  >`
    select held.code, held.permissions, held.scope_type as type, held.scope_ids::text[] as ids, held.valid_until as until,
      array(select tree.cell_id::text from cell_tree tree
        where tree.account_id = ${inAccount} and tree.ancestor_id = any(held.scope_ids)
        union all select class.class_id::text from courses_of_classes class
        where class.account_id = ${inAccount} and class.course_id = any(held.scope_ids)) as below
    from roles_ahead held where held.account_id = ${inAccount} and held.person_id = ${personId}`;
  const [status] = await db<{ status: string }[]>`
    select administrative_status as status from person_facts
    where account_id = ${inAccount} and person_id = ${personId}`;
  const ofStatus = {
    code: status?.status ?? null,
    permissions: [],
    type: "account",
    ids: [],
    until: null,
    below: [],
  };
  const rights = new Map<string, number>();
  for (const { below, code, ids, permissions, type, until } of [...held, ofStatus])
    for (const permission of permissionsOf(code, permissions))
      for (const place of type === "account" ? ["account"] : [...ids, ...below]) {
        const right = `${permission} at ${place}`;
        const end = until === null ? Infinity : new Date(until).getTime();
        rights.set(right, Math.max(rights.get(right) ?? 0, end));
      }
  return rights;
}

const chains: Chain[] = [];
for (const [caller, person] of Object.entries(callers)) {
  const permissions = new Set<string>(everyones);
  for (const right of (await rightsOf(accountId, person.id)).keys())
    permissions.add(right.split(" at ")[0] ?? "");
  for (const subject of Object.keys(subjects) as Subject[]) {
    const types = new Set(actsOf(catalogue, castOf(person, subject)).map(({ type }) => type));
    for (const first of types)
      if (mayWrite(permissions, first))
        for (const given of colleagueActs(subject)) chains.push({ caller, subject, first, given });
  }
}

const nameOf = ({ caller, first, given, subject }: Chain): string =>
  `${caller}: ${first} on ${subject}, then ${given.name}`;

/** A copy of the account, which the requests of a chain change. */
class Copy {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  async tokenOf(personId: string): Promise<string> {
    const { hash, token } = newAccessToken(this.id);
    await db`
      insert into access_tokens (account_id, token_hash, id, person_id, expires_at)
      values (${this.id}, ${hash}, ${newId()}, ${personId}, now() + interval '1 day')`;
    return token;
  }

  send = ({ body, method, path }: Act, as: string): Promise<Answer> =>
    service.request(method, path, { as, body });

  /** The secrets in the lists of a person. */
  async secretsOf(as: string): Promise<Set<Secret>> {
    const lists = ["notes", "people", "households", "form-submissions"].map(
      (type) => `/v1/${type}?page[size]=100`,
    );
    const paths = [...lists, ...Object.values(subjects).map(({ id }) => `/v1/people/${id}`)];
    const answers = await Promise.all(paths.map((path) => service.get(path, { as })));
    const text = answers.map((one) => one.text).join("\n");
    return new Set((Object.keys(secrets) as Secret[]).filter((one) => text.includes(secrets[one])));
  }
}

/** The places of the account. A new place is below one of them, where its maker holds the right to make it. */
const known = new Set(["account", ...Object.values(places)]);

/** A right in the account covers the same right at a place. Writing covers reading. */
function holdsFor(rights: ReadonlyMap<string, number>, right: string): number {
  const [permission = "", place = ""] = right.split(" at ");
  if (!known.has(place)) return Infinity;
  const writing = permission.replace(/:read$/, ":write");
  return Math.max(
    ...[
      right,
      `${permission} at account`,
      right.replace(permission, writing),
      `${writing} at account`,
    ].map((one) => rights.get(one) ?? 0),
  );
}

interface Holdings {
  secrets: ReadonlySet<Secret>;
  rights: ReadonlyMap<string, number>;
}

const AT_ONCE = 4;
const COPIES_AT_ONCE = 40;
const copies: Copy[] = [];
let copying = Promise.resolve();

/** Many copies take hardly longer than one. */
async function nextCopy(): Promise<Copy> {
  copying = copying.then(async () => {
    if (copies.length >= AT_ONCE) return;
    const made = Array.from({ length: COPIES_AT_ONCE }, () => new Copy(newId()));
    await copyAccount(
      db,
      accountId,
      made.map(({ id }) => id),
    );
    copies.push(...made);
  });
  await copying;
  return copies.shift() ?? nextCopy();
}

/** Lets the people of a chain act in a copy. */
const inCopy = async <T>(act: (copy: Copy) => Promise<T>): Promise<T> => act(await nextCopy());

const holdingsOf = async (copy: Copy, personId: string, as: string): Promise<Holdings> => ({
  secrets: await copy.secretsOf(as),
  rights: await rightsOf(copy.id, personId),
});

const direct = new Map<string, Promise<Holdings>>();

/** The caller of a chain after the act of the colleague alone. */
function heldDirectly({ caller, given }: Chain): Promise<Holdings> {
  const key = `${caller} ${given.name} ${given.path} ${JSON.stringify(given.body)}`;
  const already = direct.get(key);
  if (already) return already;
  const { id } = callers[caller] ?? assert.fail(caller);
  const held = inCopy(async (copy) => {
    if (given !== nothing) await copy.send(given, await copy.tokenOf(account.administrator.id));
    return holdingsOf(copy, id, await copy.tokenOf(id));
  });
  direct.set(key, held);
  return held;
}

/** The first acts that all fail, and the chains without any, of which one is enough. */
const idle = new Set<string>();
const firstOf = ({ caller, first, subject }: Chain): string => `${caller} ${subject} ${first}`;

const PASSWORD = "the caller knows this one";

/** The caller of a chain in a copy, with the log-ins that the caller has got hold of. */
async function run(copy: Copy, chain: Chain): Promise<{ held: Holdings; done: string[] }> {
  const { id } = callers[chain.caller] ?? assert.fail(chain.caller);
  const as = await copy.tokenOf(id);
  const subjectId = subjects[chain.subject].id;
  const done: string[] = [];
  const tokens: string[] = [];
  const base = castOf({ id }, chain.subject);
  const rows = new Map(base.rows);
  const act = async (which: (act: Act) => boolean) => {
    // New resources take part in the acts that follow.
    for (const one of actsOf(catalogue, { ...base, rows }).filter(which)) {
      const answer = await copy.send(one, as);
      if (answer.status >= 300) continue;
      done.push(one.name);
      const made = answer.document.data as
        | { type: string; id: string; meta?: { token?: string } }
        | undefined;
      if (one.method === "POST" && made?.type === one.type)
        rows.set(made.type, [...(rows.get(made.type) ?? []), made.id]);
      if (made?.meta?.token === undefined || !(await invites(copy, made.id, subjectId))) continue;
      await confirm(service, made.meta.token, PASSWORD);
      tokens.push(await copy.tokenOf(subjectId));
    }
  };
  const emailOf = async (): Promise<string> => {
    const [person] = await db<{ email: string | null }[]>`
      select email from person_facts where account_id = ${copy.id} and person_id = ${subjectId}`;
    return person?.email ?? "";
  };
  if (!idle.has(firstOf(chain))) await act(({ type }) => type === chain.first);
  if (done.length === 0) {
    idle.add(firstOf(chain));
    const { given } = chain;
    const same = `${firstOf({ ...chain, first: "" })} ${given.name}`;
    if (idle.has(same)) return { held: await heldDirectly(chain), done };
    idle.add(same);
  }
  if (chain.given !== nothing) {
    const given = await copy.send(chain.given, await copy.tokenOf(account.administrator.id));
    if (given.status < 300) done.push(`THEN ${chain.given.name} THEN`);
  }
  await act(() => true);
  const own = await holdingsOf(copy, id, await copy.tokenOf(id));
  const isInvited = (await emailOf()) === MAILBOX && (await hasOpenMail(copy, subjectId));
  const isLoggedIn = await Promise.all(
    tokens.map(async (token) => (await service.get("/v1/people/me", { as: token })).status === 200),
  );
  const knowsPassword = tokens.length > 0 && (await hasPassword(copy, subjectId));
  if (!isInvited && !knowsPassword && !isLoggedIn.includes(true)) return { held: own, done };
  done.push("LOGS IN as the subject");
  const theirs = await holdingsOf(copy, subjectId, await copy.tokenOf(subjectId));
  return {
    held: {
      secrets: new Set([...own.secrets, ...theirs.secrets]),
      rights: new Map(
        [...own.rights, ...theirs.rights].map(([right]) => [
          right,
          Math.max(own.rights.get(right) ?? 0, theirs.rights.get(right) ?? 0),
        ]),
      ),
    },
    done,
  };
}

/** The invitation of a person who was merged is one of the person who was kept. */
async function invites(copy: Copy, invitationId: string, personId: string): Promise<boolean> {
  const found = await db`
    select from person_invitations where account_id = ${copy.id} and id = ${invitationId} and person_id = ${personId}`;
  return found.length > 0;
}

/** The confessor and the colleague have one from the start. A caller who sets it may not do so for them. */
async function hasPassword(copy: Copy, personId: string): Promise<boolean> {
  const set = await db`
    select from person_credentials where account_id = ${copy.id} and person_id = ${personId}`;
  return set.length > 0;
}

async function hasOpenMail(copy: Copy, personId: string): Promise<boolean> {
  const open = await db`
    select from person_invitations where account_id = ${copy.id} and person_id = ${personId} and delivery = 'email'
      and expires_at > now()`;
  return open.length > 0;
}

const chosen = sample(chains, { what: "chains of acts", count: 8, wholeCount: 200, nameOf });

/** The secrets and rights of the caller after a chain that neither the standing nor the act of the colleague gives. */
async function gainOf(chain: Chain): Promise<{ gained: string[]; done: string[] }> {
  const lawful = [await heldDirectly({ ...chain, given: nothing }), await heldDirectly(chain)];
  const { done, held } = await inCopy((copy) => run(copy, chain));
  const reads = (secret: Secret) => lawful.some((one) => one.secrets.has(secret));
  const found = [...held.secrets].filter(
    (secret) =>
      // A reader of the number may learn whose address it is.
      !reads(secret) && !(secret === "whose address it is" && reads("the number")),
  );
  const rights = [...held.rights]
    .filter(
      ([right, until]) => until > Math.max(...lawful.map((one) => holdsFor(one.rights, right))),
    )
    .map(([right]) => right);
  return { gained: [...found, ...rights], done };
}

suite(`${chains.length} chains of acts by a person, a colleague and the person`, {
  concurrency: 4,
}, () => {
  for (const [who, some] of Map.groupBy(
    chosen,
    ({ caller, first, subject }) => `${caller}: ${first} on ${subject}`,
  ))
    test(`no right · ${who}`, async () => {
      for (const chain of some) {
        const { done, gained } = await gainOf(chain);
        assert.deepEqual(gained, [], `${nameOf(chain)}: ${done.join("; ")}`);
      }
    });
});

test("each caller has before any act what the standing gives", async () => {
  for (const caller of Object.keys(callers)) {
    const [subject] = Object.keys(subjects) as [Subject];
    const { secrets: read } = await heldDirectly({ caller, subject, first: "", given: nothing });
    const office = ["administrator", "pastor", "secretary", "pastor until tomorrow"].includes(
      caller,
    );
    assert.deepEqual(
      [...read],
      office
        ? [
            "the number",
            "the medical notes",
            "the address",
            "the note of the other cell",
            "the note of the staff",
          ]
        : [],
      caller,
    );
  }
});
