import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Outcome, ReportAttributes, StoredReport } from "../meetings.ts";
import { emptyDraft } from "./draft.ts";
import { deliverAll, type OutboxEntry, type OutboxStore, replacing } from "./outbox.ts";

/** How one exchange with the service ends. */
type Weather = "fine" | "request lost" | "answer lost" | "unavailable" | "killed";

class Killed extends Error {}

/** The rules of the service that matter here: versions, keys of 24 hours, and one meeting on a day. */
class Meeting {
  version = 0;
  exists: boolean;
  attributes: ReportAttributes | undefined;
  visitors: string[] = [];
  /** The themes of the reports that were carried out. */
  readonly writes: unknown[] = [];
  readonly answers = new Map<string, Outcome>();

  constructor(isPlanned: boolean) {
    this.exists = isPlanned;
  }

  get etag() {
    return `"${this.version}"`;
  }

  write(attributes: ReportAttributes): void {
    this.exists = true;
    this.version += 1;
    this.attributes = attributes;
    this.writes.push(attributes.theme);
    for (const visitor of attributes.visitors ?? [])
      if (!this.visitors.includes(visitor["full-name"])) this.visitors.push(visitor["full-name"]);
  }

  answer(entry: OutboxEntry): Outcome {
    const known = this.answers.get(entry.key);
    if (known) return known;
    const answer = this.judge(entry);
    if (answer.kind === "sent") this.answers.set(entry.key, answer);
    return answer;
  }

  judge({ meetingId, etag, attributes }: OutboxEntry): Outcome {
    if (meetingId === undefined && this.exists) return { kind: "exists", meetingId: "m" };
    if (meetingId !== undefined && etag !== this.etag) return { kind: "stale", meetingId: "m" };
    this.write(attributes);
    return { kind: "sent", meetingId: "m", etag: this.etag };
  }

  read(): StoredReport {
    return {
      meetingId: "m",
      etag: this.etag,
      status: this.attributes?.status ?? "scheduled",
      isSubmitted: this.attributes !== undefined,
      notHeldReason: this.attributes?.["not-held-reason"] ?? null,
      visitorsCount: this.attributes?.["visitors-count"] ?? null,
      childrenCount: this.attributes?.["children-count"] ?? null,
      theme: this.attributes?.theme ?? null,
      summary: this.attributes?.summary ?? null,
      rows: [
        ...(this.attributes?.attendance ?? []).map((entry) => ({
          personId: entry["person-id"],
          fullName: entry["person-id"],
          status: entry.status,
          isVisitor: false,
          firstTime: entry["first-time"],
          note: entry.note,
        })),
        ...this.visitors.map((fullName) => ({
          personId: fullName,
          fullName,
          status: "present",
          isVisitor: true,
          firstTime: true,
          note: null,
        })),
      ],
    };
  }
}

class Device implements OutboxStore {
  readonly entries = new Map<string, OutboxEntry>();
  all = () => Promise.resolve([...this.entries.values()]);
  get = (id: string) => Promise.resolve(this.entries.get(id));
  put = (entry: OutboxEntry) => Promise.resolve(void this.entries.set(entry.id, entry));
  remove = (id: string) => Promise.resolve(void this.entries.delete(id));
}

const report = (theme: string): ReportAttributes => ({
  status: "held",
  "not-held-reason": null,
  theme,
  summary: null,
  "children-count": null,
  "visitors-count": 1,
  attendance: [{ "person-id": "ana", status: "present", "first-time": false, note: null }],
  visitors: [{ "full-name": "Rui", phone: null }],
});

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;

const entryOf = (meeting: Meeting, isPlanned: boolean, theme: string): OutboxEntry => ({
  id: "cell:2026-11-18",
  owner: "leader",
  cellId: "cell",
  cellName: "North",
  date: "2026-11-18",
  meetingId: isPlanned ? "m" : undefined,
  etag: isPlanned ? meeting.etag : undefined,
  attributes: report(theme),
  draft: emptyDraft,
  rows: [],
  key: newKey(),
  queuedAt: "2026-11-18T20:00:00Z",
  state: "waiting",
});

const weather = fc.constantFrom<Weather>(
  "fine",
  "request lost",
  "answer lost",
  "unavailable",
  "killed",
);

test("in any order of failures, a report and its corrections arrive once each, or wait for a decision about another one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(
        fc.oneof(
          fc.record({
            kind: fc.constant("try" as const),
            weather: fc.array(weather, { maxLength: 6 }),
          }),
          fc.record({
            kind: fc.constantFrom(
              "colleague" as const,
              "a correction" as const,
              "a day passes" as const,
            ),
          }),
        ),
        { maxLength: 8 },
      ),
      async (isPlanned, steps) => {
        const meeting = new Meeting(isPlanned);
        const device = new Device();
        const first = entryOf(meeting, isPlanned, "mine");
        await device.put(first);
        let hasColleague = false;
        let last = "mine";
        let corrections = 0;
        // The sheet has the version of the answer.
        let sheet: Pick<OutboxEntry, "meetingId" | "etag"> = first;

        const correct = async () => {
          const old = device.entries.get(first.id);
          if (old?.state === "conflict") return;
          corrections += 1;
          last = `mine ${corrections}`;
          const base = old ?? { ...first, meetingId: sheet.meetingId, etag: sheet.etag };
          await device.put(
            replacing({ ...base, attributes: report(last), key: newKey(), state: "waiting" }, old),
          );
        };

        const attempt = (forecast: Weather[]) => {
          const queue = [...forecast];
          const exchange = <Result>(run: () => Result, lost: Result): Promise<Result> => {
            const now = queue.shift() ?? "fine";
            if (now === "request lost" || now === "unavailable") return Promise.resolve(lost);
            const result = run();
            if (now === "killed") return Promise.reject(new Killed());
            return Promise.resolve(now === "answer lost" ? lost : result);
          };
          return deliverAll(
            "leader",
            device,
            {
              send: (entry) => exchange<Outcome>(() => meeting.answer(entry), { kind: "later" }),
              read: () => exchange<StoredReport | undefined>(() => meeting.read(), undefined),
            },
            newKey,
            (_, sent) => Promise.resolve(void (sheet = sent)),
          ).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
        };

        for (const step of steps) {
          if (step.kind === "try") await attempt(step.weather);
          else if (step.kind === "a day passes") meeting.answers.clear();
          else if (step.kind === "a correction") await correct();
          else {
            hasColleague = true;
            meeting.write(report("theirs"));
          }
        }
        await attempt([]);

        const left = device.entries.get(first.id);
        const mine = meeting.writes.filter((theme) => theme !== "theirs");
        if (!hasColleague) {
          assert.equal(left, undefined, "The report has arrived.");
          assert.equal(meeting.attributes?.theme, last, "The last correction is there.");
        }
        assert.deepEqual(mine, [...new Set(mine)], "None is ever carried out twice.");
        if (left) assert.equal(left.state, "conflict");
        else assert.ok(mine.includes(last));
        assert.ok(meeting.visitors.length <= 1, "The visitor is not added twice.");
      },
    ),
    { numRuns: 10_000 },
  );
});

test("a correction that is queued while the first report travels follows it", async () => {
  const meeting = new Meeting(true);
  const device = new Device();
  const first = entryOf(meeting, true, "first");
  await device.put(first);
  const service = {
    send: async (entry: OutboxEntry) => {
      const answer = meeting.answer(entry);
      if (entry.key === first.key)
        await device.put(
          replacing({ ...first, attributes: report("second"), key: newKey() }, first),
        );
      return answer;
    },
    read: () => Promise.resolve(meeting.read()),
  };
  await deliverAll("leader", device, service, newKey);
  await deliverAll("leader", device, service, newKey);
  assert.equal(meeting.attributes?.theme, "second");
  assert.equal(device.entries.size, 0);
});

test("a visitor whom a lost try has added is taken away by the correction", async () => {
  const meeting = new Meeting(false);
  const device = new Device();
  const first = entryOf(meeting, false, "mine");
  meeting.answer(first);
  const attributes = { ...report("mine"), "visitors": [], "visitors-count": 0 };
  await device.put(replacing({ ...first, attributes, key: newKey() }, first));
  const service = {
    send: (entry: OutboxEntry) => Promise.resolve(meeting.answer(entry)),
    read: () => Promise.resolve(meeting.read()),
  };
  await deliverAll("leader", device, service, newKey);
  assert.equal(device.entries.size, 0);
  assert.deepEqual(meeting.attributes?.attendance?.[1], {
    "person-id": "Rui",
    "status": "absent",
    "first-time": false,
    "note": null,
  });
});

test("a refused report stays with the words of the service and is not sent again", async () => {
  const device = new Device();
  await device.put(entryOf(new Meeting(true), true, "mine"));
  let requests = 0;
  const service = {
    send: () => {
      requests += 1;
      return Promise.resolve({
        kind: "refused",
        problem: { code: "report-closed", detail: "Too late." },
      } as const);
    },
    read: () => Promise.resolve(undefined),
  };
  await deliverAll("leader", device, service, newKey);
  await deliverAll("leader", device, service, newKey);
  assert.equal(requests, 1);
  assert.deepEqual(device.entries.get("cell:2026-11-18")?.problem, {
    code: "report-closed",
    detail: "Too late.",
  });
});

test("another person's session never sends it", async () => {
  const device = new Device();
  await device.put(entryOf(new Meeting(true), true, "mine"));
  await deliverAll(
    "somebody",
    device,
    {
      send: () => assert.fail("It was sent."),
      read: () => assert.fail("It was read."),
    },
    newKey,
  );
  assert.equal(device.entries.size, 1);
});
