/** The reads and writes of groups, their members, meetings and multiplications. */
import { queryOptions } from "@tanstack/react-query";
import type {
  CellChanges,
  CellMembershipChanges,
  NewCell,
  NewCellMembership,
  NewCellMultiplication,
  NewCellTransfer,
  Resource,
} from "@vestry/sdk";
import { addDays, today } from "../ui/format.ts";
import { api } from "./client.ts";
import { keys } from "./keys.ts";
import { PAGE_SIZE, type RowsQuestion } from "./rows.ts";

const leader = ["full-name", "preferred-name", "photo-url", "phones"] as const;

const cellShape = {
  include: ["leaders", "supervisors", "parent", "modified-by"],
  fields: { people: leader },
  meta: { may: true },
} as const;

export type CellRecord = Resource<"cells", typeof cellShape>;

/** A group with its leaders, and what the caller may do with it. Public groups of others have fewer members. */
export const cellOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("cells", id),
    queryFn: ({ signal }) => api.cells.get(id, cellShape, { signal }),
    staleTime: 60_000,
  });

export const readCell = (id: string): Promise<CellRecord> => api.cells.get(id, cellShape);

type Sending = { etag?: string | undefined; idempotencyKey: string };

export const saveCell = (id: string, changes: CellChanges, sending: Sending) =>
  api.cells.update(id, changes, { ...cellShape, ...sending });

export const createCell = (values: NewCell, idempotencyKey: string) =>
  api.cells.create(values, { ...cellShape, idempotencyKey });

const memberShape = {
  include: ["person"],
  fields: {
    "cell-memberships": ["cell-role", "joined-on"],
    "people": ["full-name", "preferred-name", "photo-url", "phones"],
  },
} as const;

type Membership = Resource<"cell-memberships", typeof memberShape>;

/** An active membership. Only ended ones can be without a person, who was deleted. */
export type Member = Membership & { person: NonNullable<Membership["person"]> };

const hasPerson = (one: Membership): one is Member => one.person !== null;

const ROLE_ORDER = ["leader", "co-leader", "trainee", "host", "participant", "visitor"];

/** Everybody with an active membership: leaders first, then by name. */
export const membersOptions = (cellId: string) =>
  queryOptions({
    queryKey: keys.list("cell-memberships", { cell: cellId, status: "active" }),
    queryFn: async ({ signal }) => {
      const members: Member[] = [];
      const filter = { cell: [cellId], status: ["active"] } as const;
      for await (const member of api.cellMemberships.list(
        { ...memberShape, filter, page: { size: 100 } },
        { signal },
      ))
        if (hasPerson(member)) members.push(member);
      return members.sort(
        (a, b) =>
          ROLE_ORDER.indexOf(a["cell-role"]) - ROLE_ORDER.indexOf(b["cell-role"]) ||
          a.person["full-name"].localeCompare(b.person["full-name"]),
      );
    },
  });

export const addMember = (values: NewCellMembership, idempotencyKey: string) =>
  api.cellMemberships.create(values, { idempotencyKey });

export const changeMember = (id: string, changes: CellMembershipChanges, sending: Sending) =>
  api.cellMemberships.update(id, changes, sending);

export const transferMembers = (values: NewCellTransfer, idempotencyKey: string) =>
  api.cellTransfers.create(values, { idempotencyKey });

/** The former memberships are active again. The service refuses it once one of the people has moved on. */
export const takeTransferBack = ({ id, $etag }: { id: string; $etag?: string }): Promise<void> =>
  api.cellTransfers.delete(id, { etag: $etag });

const MEETING_WEEKS = 12;

/** Meetings of the last twelve weeks and the next week, newest first. */
export const meetingsOptions = (cellId: string) =>
  queryOptions({
    queryKey: keys.list("cell-meetings", { cell: cellId, weeks: MEETING_WEEKS }),
    queryFn: async ({ signal }) => {
      const day = today();
      const { items } = await api.cellMeetings.page(
        {
          filter: {
            cell: [cellId],
            from: addDays(day, -7 * MEETING_WEEKS),
            to: addDays(day, 7),
          },
          sort: "-date",
          fields: {
            "cell-meetings": [
              "date",
              "status",
              "report-status",
              "theme",
              "not-held-reason",
              "present-count",
              "members-count",
              "visitors-count",
            ],
          },
          page: { size: 100 },
        },
        { signal },
      );
      return items;
    },
  });

/** Requests to join that wait for a decision. */
export const requestsOptions = (cellId: string) =>
  queryOptions({
    queryKey: keys.list("cell-join-requests", { cell: cellId, status: "pending" }),
    queryFn: async ({ signal }) => {
      const { items } = await api.cellJoinRequests.page(
        {
          filter: { cell: [cellId], status: ["pending"] },
          include: ["person"],
          fields: { people: ["full-name", "photo-url"] },
          page: { size: 100 },
        },
        { signal },
      );
      return items;
    },
  });

const treeShape = {
  include: ["leaders"],
  fields: {
    cells: ["name", "parent", "cell-type", "level", "members-count", "status", "leaders"],
    people: ["full-name"],
  },
} as const;

export type TreeCell = Resource<"cells", typeof treeShape>;

/** All groups in reach, for the tree. */
export const treeOptions = queryOptions({
  queryKey: keys.list("cells", { tree: true }),
  queryFn: async ({ signal }) => {
    const cells: TreeCell[] = [];
    for await (const cell of api.cells.list(
      { ...treeShape, sort: "name", page: { size: 100 } },
      { signal },
    ))
      cells.push(cell);
    return cells;
  },
});

/** Closes a group. Its members move to another group, if there is one. */
export const closeCell = (
  values: { cell: string; "moved-to"?: string | undefined; "closing-reason"?: string | null },
  idempotencyKey: string,
) => api.cellClosings.create(values, { idempotencyKey });

export const reopenCell = (cell: string, idempotencyKey: string) =>
  api.cellReopenings.create({ cell }, { idempotencyKey });

const multiplicationShape = {
  include: ["members", "leaders", "created-by", "resulting-cell"],
  fields: { people: ["full-name", "photo-url"], cells: ["name"] },
  meta: { may: true },
} as const;

/** The proposal of a group that waits for a decision. */
export const proposalOptions = (cellId: string) =>
  queryOptions({
    queryKey: keys.list("cell-multiplications", { parent: cellId, status: "proposed" }),
    queryFn: async ({ signal }) => {
      const { items } = await api.cellMultiplications.page(
        {
          filter: { "parent-cell": [cellId], "status": ["proposed"] },
          fields: { "cell-multiplications": ["status"] },
          page: { size: 1 },
        },
        { signal },
      );
      const [first] = items;
      return first
        ? await api.cellMultiplications.get(first.id, multiplicationShape, { signal })
        : null;
    },
  });

export type Proposal = Resource<"cell-multiplications", typeof multiplicationShape>;

export const proposeMultiplication = (values: NewCellMultiplication, idempotencyKey: string) =>
  api.cellMultiplications.create(values, { idempotencyKey });

export const decideMultiplication = (
  proposal: { id: string; $etag?: string | undefined },
  decision: { status: "approved" } | { "status": "rejected"; "decline-reason": string | null },
  idempotencyKey: string,
) =>
  api.cellMultiplications.update(proposal.id, decision, {
    etag: proposal.$etag,
    idempotencyKey,
    include: ["resulting-cell"],
    fields: { cells: ["name"] },
  });

/** Groups that are not closed, by a part of their name, category or place. */
export async function searchCells(
  q: string,
  type: "cell" | "supervision" | undefined,
  signal?: AbortSignal,
) {
  const { items } = await api.cells.page(
    {
      filter: {
        "q": q || undefined,
        "cell-type": type && [type],
        "status": ["active", "planned", "in-recess"],
      },
      include: ["parent"],
      fields: { cells: ["name", "parent"] },
      sort: "name",
      page: { size: 20 },
    },
    { signal },
  );
  return items;
}

/** The parameters of the address of the list of groups. */
export type CellsSearch = {
  q?: string;
  status?: string;
  weekday?: string;
  report?: string;
  leader?: string;
  tree?: string;
  view?: string;
  sort?: string;
};

const LIST_SORTS = ["name", "weekday", "members-count", "last-meeting-on"] as const;
type ListSort = (typeof LIST_SORTS)[number];

const isSort = (text: string | undefined): text is ListSort | `-${ListSort}` =>
  (LIST_SORTS as readonly string[]).includes(text?.replace(/^-/, "") ?? "");

const listShape = {
  include: ["leaders", "parent"],
  fields: {
    cells: [
      "name",
      "status",
      "cell-type",
      "weekday",
      "starts-at",
      "members-count",
      "last-meeting-on",
      "leaders",
      "parent",
    ],
    people: ["full-name", "photo-url"],
  },
} as const;

export type CellRow = Resource<"cells", typeof listShape>;

const STATUSES = ["planned", "active", "in-recess", "closed"] as const;

/** The rows of the list. Closed groups are shown when they are asked for. */
export function cellsQuestion(search: CellsSearch): RowsQuestion<CellRow> {
  const sort = isSort(search.sort) ? search.sort : "name";
  const status = STATUSES.filter((one) => search.status?.split(",").includes(one));
  const query = {
    filter: {
      "q": search.q || undefined,
      "status": status.length > 0 ? status : (["planned", "active", "in-recess"] as const),
      "weekday": search.weekday === undefined ? undefined : [Number(search.weekday)],
      "tree": search.tree === undefined ? undefined : [search.tree],
      "report-overdue": search.report === "overdue" ? true : undefined,
      "without-leader": search.leader === "none" ? true : undefined,
    },
    sort,
    ...listShape,
  };
  return {
    params: ["cells", "list", query],
    page: (number) => ({
      queryKey: keys.page("cells", query, number),
      queryFn: async ({ signal }) => {
        const { items, total } = await api.cells.page(
          { ...query, page: { number, size: PAGE_SIZE } },
          { signal },
        );
        return { items, total: total ?? items.length };
      },
    }),
  };
}

/** The days of the next meetings that are planned. */
export const plannedDaysOptions = (cellId: string) =>
  queryOptions({
    queryKey: keys.list("cell-meetings", { cell: cellId, planned: true }),
    queryFn: async ({ signal }) => {
      const { items } = await api.cellMeetings.page(
        {
          filter: { cell: [cellId], from: today(), status: ["scheduled"] },
          sort: "date",
          fields: { "cell-meetings": ["date"] },
          page: { size: 5 },
        },
        { signal },
      );
      return items.map(({ date }) => date);
    },
  });
