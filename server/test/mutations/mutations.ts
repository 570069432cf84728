/**
 * Faults that a user or an attacker could meet. Each replaces one place of a source. `run.ts` makes them one at a time and asks
 * whether a test notices. `from` stands once in its file, so `mutations.test.ts` fails if the code has moved on. Then choose a new
 * place that breaks the same promise.
 */
export interface Mutation {
  name: string;
  /** From the root. */
  file: string;
  from: string;
  to: string;
}

/** So many of the mutations are noticed at least, by the whole check and by a sample. The numbers may only go up. */
export const KILLED_MIN = { whole: 53, sample: 48 };

const kernel: readonly Mutation[] = [
  {
    name: "kernel-access-first",
    file: "server/src/jsonapi/routes/change-steps.ts",
    from: "error.status !== 400",
    to: "error.status === 400",
  },
  {
    name: "kernel-account-condition",
    file: "server/src/jsonapi/request/reach-conditions.ts",
    from: "accountColumnOf(resource)} = ",
    to: "accountColumnOf(resource)} is not null and $1::uuid = ",
  },
  {
    name: "kernel-count-reach",
    file: "server/src/jsonapi/request/reach-conditions.ts",
    from: "return ownRows(statement, resource, reach);",
    to: 'return ownRows(statement, resource, "everything");',
  },
  {
    name: "kernel-cursor-tie",
    file: "server/src/jsonapi/sql/list.ts",
    from: 'key?.descending ? "<" : ">"',
    to: 'key?.descending ? "<=" : ">="',
  },
  {
    name: "kernel-etag-weak",
    file: "server/src/jsonapi/request/etag.ts",
    from: String.raw`one.trim().replace(/^W\//, "") === etag`,
    to: "one.trim() === etag",
  },
  {
    name: "kernel-filter-day-bounds",
    file: "server/src/jsonapi/request/filters.ts",
    from: '"from": day(">=")',
    to: '"from": day(">")',
  },
  {
    name: "kernel-idempotency-body",
    file: "server/src/jsonapi/request/idempotency.ts",
    from: "[personId, method, url, canonical(body)]",
    to: "[personId, method, url]",
  },
  {
    name: "kernel-if-match-foreign",
    file: "server/src/jsonapi/request/etag.ts",
    from: "Number(match[1]) : NO_VERSION",
    to: "Number(match[1]) : undefined",
  },
  {
    name: "kernel-include-reach",
    file: "server/src/jsonapi/sql/include.ts",
    from: "ownRows(statement, target, reach)",
    to: 'ownRows(statement, target, "everything")',
  },
  {
    name: "kernel-link-unreadable",
    file: "server/src/jsonapi/routes/change-steps.ts",
    from: "if (!(await linkableIds(context, target, [id])).has(id))",
    to: "if (false)",
  },
  {
    name: "kernel-linkage-reach",
    file: "server/src/jsonapi/sql/linkage.ts",
    from: "reachOfLinks(actor, targetOf(catalogue, relationship), relationship)",
    to: '"everything"',
  },
  {
    name: "kernel-list-reach",
    file: "server/src/jsonapi/sql/list.ts",
    from: 'reachFor(context.actor, resource, "list")',
    to: 'reachFor(context.actor, resource, "list") && "everything"',
  },
  {
    name: "kernel-may-codes",
    file: "server/src/jsonapi/sql/may.ts",
    from: "Object.entries(refusedIf).map(",
    to: "Object.entries(refusedIf).slice(1).map(",
  },
  {
    name: "kernel-one-line",
    file: "server/src/jsonapi/definition/attributes.ts",
    from: "!CONTROL.test(value)",
    to: String.raw`!/[\n\r]/.test(value)`,
  },
  {
    name: "kernel-read-only-link",
    file: "server/src/jsonapi/request/input.ts",
    from: "else if (!relationship.writable)",
    to: "else if (!relationship.writable && rules.id !== undefined)",
  },
  {
    name: "kernel-required-attribute",
    file: "server/src/jsonapi/request/input.ts",
    from: 'attribute.mode === "required" &&',
    to: 'attribute.mode === "required" && attribute.nullable &&',
  },
  {
    name: "kernel-self-editable",
    file: "server/src/jsonapi/request/input.ts",
    from: "(rights.own && attribute.selfEditable === true)",
    to: "rights.own",
  },
  {
    name: "kernel-sort-hidden",
    file: "server/src/jsonapi/sql/list.ts",
    from: "return shown === undefined ? column",
    to: "return shown !== null ? column",
  },
  {
    name: "kernel-sort-tie",
    file: "server/src/jsonapi/sql/list.ts",
    from: 'last?.descending ? "desc" : "asc"',
    to: '"asc"',
  },
  {
    name: "kernel-unlink-unreadable",
    file: "server/src/jsonapi/sql/write-linkage.ts",
    from: 'if (reach === "everything") return "";',
    to: 'return "";',
  },
];

const rights: readonly Mutation[] = [
  {
    name: "rights-confirm-after-wait",
    file: "server/src/access/confirmation.ts",
    from: "if (age > this.#options.ageMsMax) await this.now(tx);",
    to: "",
  },
  {
    name: "rights-creator-self",
    file: "server/src/access/reach.ts",
    from: 'scope !== "self" && scope !== "public"',
    to: 'scope !== "public"',
  },
  {
    name: "rights-grant-duration",
    file: "server/src/features/roles/grant.ts",
    from: "lasting(context.actor, until)",
    to: "context.actor",
  },
  {
    name: "rights-grant-within-scope",
    file: "server/src/features/roles/comparison.ts",
    from: "permissions.filter(isOfGranting), inAccount)",
    to: "permissions.filter(isOfGranting), scope)",
  },
  {
    name: "rights-integration-not-allowed",
    file: "server/src/access/identify.ts",
    from: "if (external) requireAllowed(caller);",
    to: "",
  },
  {
    name: "rights-invite-by-link",
    file: "server/src/features/sign-in/invitations/taking-the-place.ts",
    from: 'if (delivery === "link")',
    to: "if (false)",
  },
  {
    name: "rights-outranks-derived",
    file: "server/src/features/roles/comparison.ts",
    from: '(isDerived && which === "stored")',
    to: "isDerived",
  },
  {
    name: "rights-outranks-status",
    file: "server/src/features/roles/comparison.ts",
    from: "if (ranksAbove(status, actor)) return true;",
    to: "",
  },
  {
    name: "rights-password-change-tokens",
    file: "server/src/features/sign-in/passwords/change-password.ts",
    from: "await revokeTokens(tx, { accountId, personId }, actor.tokenId);",
    to: "",
  },
  {
    name: "rights-password-token-deactivated",
    file: "server/src/features/sign-in/passwords/password-tokens.ts",
    from: "and person.is_active and person.email is not null)",
    to: "and person.email is not null)",
  },
  {
    name: "rights-read-only-path",
    file: "server/src/access/reach.ts",
    from: "readOnly || !path.readOnly || (isAbout && !path.onlyReduced && !path.onlyNames)",
    to: "true",
  },
  {
    name: "rights-reset-outranked",
    file: "server/src/features/sign-in/passwords/confirm-password-reset.ts",
    from: "if (await isRefused(tx, catalogue, personId, origins)) throw tokenInvalid();",
    to: "",
  },
  {
    name: "rights-role-beyond-own",
    file: "server/src/features/roles/grant.ts",
    from: "await assertHolds(context, input.attributes.permissions ?? [], permissionsPointer);",
    to: "",
  },
  {
    name: "rights-role-held-until",
    file: "server/src/features/roles/grant.ts",
    from: "if (role?.heldUntil !== undefined)",
    to: "if (role === undefined)",
  },
  {
    name: "rights-scope-below",
    file: "server/src/features/roles/comparison.ts",
    from: "kind.follows ? [type] : [",
    to: "kind.follows ? [type, kind.follows.scope] : [",
  },
  {
    name: "rights-session-origin",
    file: "server/src/access/session-cookie.ts",
    from: "origin === undefined ? !isRead :",
    to: "origin === undefined ? false :",
  },
  {
    name: "rights-throttle-address",
    file: "server/src/features/sign-in/throttle.ts",
    from: "await resetCounter(db, keys.who);",
    to: "await resetCounter(db, keys.who); for (const key of keys.networks) await resetCounter(db, key);",
  },
  {
    name: "rights-throttle-exempt",
    file: "server/src/features/sign-in/throttle.ts",
    from: "count <= timesAt(FRESH, place)",
    to: "count > 0",
  },
  {
    name: "rights-token-expired",
    file: "server/src/access/find-caller.ts",
    from: "token.expires_at > now()",
    to: "token.expires_at is not null",
  },
  {
    name: "rights-visitor-integration",
    file: "server/src/access/visitor.ts",
    from: "listsOrigin ?? visited.allowed",
    to: "listsOrigin ?? true",
  },
];

const rules: readonly Mutation[] = [
  {
    name: "rules-closing-children",
    file: "server/src/features/cells/closings/close-cell.ts",
    from: "if (cell.hasOpenChildren)",
    to: "if (cell.isClosed)",
  },
  {
    name: "rules-custom-field-of-oneself",
    file: "server/src/jsonapi/definition/custom-fields.ts",
    from: 'return by.rights.own && field?.["self-editable"] === true;',
    to: "return by.rights.own;",
  },
  {
    name: "rules-delivery-counts",
    file: "server/src/webhooks/engine/transition.ts",
    from: "attemptsMade: attemptsMade + 1, systemFailures: 0",
    to: "attemptsMade: attemptsMade + 1, systemFailures",
  },
  {
    name: "rules-import-undo-changed",
    file: "server/src/features/people/import/undo.ts",
    from: " && stored.get(id)?.version === version",
    to: "",
  },
  {
    name: "rules-last-administrator",
    file: "server/src/features/people/full-administrators.ts",
    from: "'full-administrator' and is_active",
    to: "'full-administrator'",
  },
  {
    name: "rules-lease-guard",
    file: "server/src/webhooks/engine/settlement-rows.ts",
    from: "queue.lease = given.lease and given.ended",
    to: "given.ended",
  },
  {
    name: "rules-membership-overlap",
    file: "server/src/features/cells/memberships/unite.ts",
    from: "one.joinedOn < end ||",
    to: "one.joinedOn <= end ||",
  },
  {
    name: "rules-merge-household-role",
    file: "server/src/features/households/merge.ts",
    from: "['head', 'spouse', 'child', 'dependent', 'other']",
    to: "['other', 'dependent', 'child', 'spouse', 'head']",
  },
  {
    name: "rules-note-confidential",
    file: "server/src/features/notes/definition.ts",
    from: "notes.visibility in ('scope', 'staff')",
    to: "notes.visibility in ('scope', 'staff', 'confidential')",
  },
  {
    name: "rules-public-cells",
    file: "server/src/features/cells/cells/public.ts",
    from: "rows: `cells.is_public and ",
    to: "rows: `",
  },
  {
    name: "rules-report-closed",
    file: "server/src/features/cells/meetings/reporting-rights.ts",
    from: "!isSupervisor && today > addDays(",
    to: "!isSupervisor && today >= addDays(",
  },
  {
    name: "rules-retention",
    file: "server/src/store/partitions.ts",
    from: "end + kept[tables[table]] <= now",
    to: "end - DAY + kept[tables[table]] <= now",
  },
  {
    name: "rules-seats-lock",
    file: "server/src/features/courses/enrollments/seats.ts",
    from: " for no key update of class`",
    to: "`",
  },
  {
    name: "rules-seats-taken",
    file: "server/src/features/courses/enrollments/seats.ts",
    from: "class_id = class.id and takes_seat(status)",
    to: "class_id = class.id and status = 'active'",
  },
  {
    name: "rules-session-lock-order",
    file: "server/src/features/courses/sessions/delete-session.ts",
    from: "if (session && attended) await lockProgress",
    to: "if (false) await lockProgress",
  },
  {
    name: "rules-settle-endpoint-changed",
    file: "server/src/webhooks/engine/settle.ts",
    from: "endpoint ? ineligibility(deliveryTargetOf(claimed), endpoint) :",
    to: "endpoint ? undefined :",
  },
  {
    name: "rules-sole-participant",
    file: "server/src/features/cells/memberships/create-membership.ts",
    from: 'if (cellRole === "participant")',
    to: 'if (cellRole === "visitor")',
  },
  {
    name: "rules-tree-level",
    file: "server/src/features/cells/cells/position.ts",
    from: "above <= level",
    to: "above < level",
  },
  {
    name: "rules-waiting-order",
    file: "server/src/features/courses/enrollments/seats.ts",
    from: "order by waiting.created_at, waiting.id",
    to: "order by waiting.created_at desc, waiting.id",
  },
  {
    name: "rules-webhook-address",
    file: "server/src/webhooks/http/public-address.ts",
    from: '["169.254.0.0/16", false',
    to: '["169.254.0.0/16", true',
  },
];

export const mutations: readonly Mutation[] = [...kernel, ...rights, ...rules];
