import { api } from "./client.ts";

/** Shows or hides the pages of the church for everybody outside of it. */
export const setPublicPages = (id: string, isOn: boolean, idempotencyKey: string) =>
  api.accounts.update(id, { settings: { "public-pages": isOn } }, { idempotencyKey });
