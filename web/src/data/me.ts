import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";
import type { Intent } from "./write.ts";

/** The own record, as the person reads it. */
export const ownRecordOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("people", id, "me"),
    queryFn: ({ signal }) =>
      api.people.get(
        id,
        {
          include: ["cells"],
          fields: {
            people: ["full-name", "photo-url", "email", "phones", "birth-month-day", "cells"],
            cells: ["name"],
          },
        },
        { signal },
      ),
  });

/** Null stands for the language of the church. */
export const changeLocale = (id: string, locale: string | null, { idempotencyKey }: Intent) =>
  api.people.update(id, { locale }, { fields: { people: ["locale"] }, idempotencyKey });

/** Ends all other log-ins of the person. */
export const changePassword = (
  passwords: { "current-password": string; "new-password": string },
  { idempotencyKey }: Intent,
): Promise<void> => api.passwordChanges.create(passwords, { idempotencyKey });

/** The places where the person is logged in. The current one comes first. */
export const devicesOptions = queryOptions({
  queryKey: keys.list("access-tokens", {}),
  queryFn: async ({ signal }) =>
    (await api.accessTokens.page({ page: { size: 100 } }, { signal })).items,
});

/** Ends every log-in of the person but the one of this page. */
export const endOtherDevices = (person: string, { idempotencyKey }: Intent): Promise<void> =>
  api.accessTokenRevocations.create({ person, "keep-current": true }, { idempotencyKey });

export const endDevice = (id: string) => api.accessTokens.delete(id);
