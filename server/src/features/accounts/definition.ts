import { can } from "../../access/policy.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import { updateAccount } from "./update-account.ts";
import { accountFields } from "./fields.ts";

export const accounts = resource({
  type: "accounts",
  description: "An account of a church: its name, its settings and its custom fields.",
  table: "accounts",
  accountColumn: "id",

  ...accountFields,

  filters: {},
  sorts: timeSorts,
  defaultSort: "id",

  operations: {
    list: can("accounts:read"),
    read: can("accounts:read"),
    update: {
      allow: can("accounts:write"),
      refuses: ["custom-property-in-use"],
      run: updateAccount,
    },
  },
  aliases: { me: (actor) => actor.accountId },
  captures: { updated: "account.updated" },
});
