import { queryOptions } from "@tanstack/react-query";
import type {
  HouseholdChanges,
  HouseholdMembershipChanges,
  NewHousehold,
  NewHouseholdMembership,
  Resource,
} from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const include = ["memberships.person", "primary-contact", "modified-by"] as const;

const fields = {
  "households": [
    "name",
    "phone",
    "phone-display",
    "address",
    "memberships",
    "primary-contact",
    "custom-properties",
    "modified-by",
  ],
  "household-memberships": ["household-role", "is-primary", "may-pick-up", "person", "household"],
  "people": ["full-name", "photo-url", "age", "is-child", "phones"],
} as const;

const shape = { include, fields } as const;

export type HouseholdRecord = Resource<"households", typeof shape>;
export type HouseholdMember = HouseholdRecord["memberships"][number];

/** The households of a person with their members and roles. */
export const householdsOfOptions = (personId: string) =>
  queryOptions({
    queryKey: keys.list("households", { person: personId }),
    queryFn: async ({ signal }) => {
      const { items } = await api.households.page(
        { ...shape, filter: { person: personId } },
        { signal },
      );
      return items;
    },
  });

export const householdOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("households", id, "screen"),
    queryFn: ({ signal }) => api.households.get(id, { ...shape, meta: { may: true } }, { signal }),
    staleTime: 60_000,
  });

export const householdAgain = (id: string): Promise<HouseholdRecord> =>
  api.households.get(id, shape);

export async function searchHouseholds(q: string, signal?: AbortSignal) {
  const { items } = await api.households.page(
    { filter: { q }, fields: { households: ["name"] }, page: { size: 6 } },
    { signal },
  );
  return items;
}

export const createHousehold = (values: NewHousehold, idempotencyKey: string) =>
  api.households.create(values, { ...shape, idempotencyKey });

export const changeHousehold = (
  id: string,
  changes: HouseholdChanges,
  options: { etag?: string | undefined; idempotencyKey?: string | undefined },
): Promise<HouseholdRecord> => api.households.update(id, changes, { ...shape, ...options });

export const deleteHousehold = (id: string, etag: string | undefined): Promise<void> =>
  api.households.delete(id, { etag });

const place = { fields: { "household-memberships": ["household-role", "may-pick-up"] } } as const;

/** The part of a membership that a form changes. */
export type MemberPlace = Resource<"household-memberships", typeof place>;

export const addMember = (
  values: NewHouseholdMembership,
  idempotencyKey: string,
): Promise<MemberPlace> => api.householdMemberships.create(values, { ...place, idempotencyKey });

export const changeMember = (
  id: string,
  changes: HouseholdMembershipChanges,
  options: { etag?: string | undefined; idempotencyKey?: string | undefined },
): Promise<MemberPlace> => api.householdMemberships.update(id, changes, { ...place, ...options });

export const memberAgain = (id: string): Promise<MemberPlace> =>
  api.householdMemberships.get(id, place);

export const removeMember = (id: string, etag: string | undefined): Promise<void> =>
  api.householdMemberships.delete(id, { etag });
