import { holds, holdsBeyondSelf, type Policy, reachOf } from "../../access/policy.ts";
import { type Reach, reachesNothing } from "../../access/reach.ts";
import type { Code } from "../../base/errors.ts";
import { isWritable, linkPolicyOf } from "../definition/relationships.ts";
import { actionsOf, type OfferedAction } from "../definition/actions.ts";
import { policyOf } from "../definition/operations.ts";
import type {
  Catalogue,
  ReadContext,
  RowConditions,
  Resource,
  RowCondition,
  RowPart,
} from "../definition/resource.ts";
import type { Row } from "../definition/rows.ts";
import { questionsIn } from "../definition/row-conditions.ts";
import { type InputRules, mayLink, mayWrite } from "../request/input.ts";
import { ownRows, reachedBy } from "../request/reach-conditions.ts";
import { reachesOfRights, rightsIn } from "../request/row-rights.ts";
import { customFieldsIn } from "./read.ts";
import { StatementBuilder } from "./statement-builder.ts";

/**
 * Whether an operation would succeed: `true`, the code of the error that follows from the resource as it is, or `false` if the caller
 * lacks the right. The right is judged first, so a code is shown only to callers who would get it.
 */
export type Verdict = boolean | Code;

/** `data.meta.may` of a resource. */
export interface May {
  /** The attributes and relationships that the caller may change. */
  update: readonly string[];
  delete: Verdict;
  /** Other acts on the resource, by name. */
  actions: Readonly<Record<string, Verdict>>;
}

/** Evaluates the rights of the caller on a resource, with one statement for all rules. */
export async function mayOf(context: ReadContext, resource: Resource, id: string): Promise<May> {
  const answers = await answersTo(context, id, conditionsOf(context.catalogue, resource));
  const conditions = new RowStatement(context, resource, id, answers);
  const update = changesOf(context, resource, conditions);
  const remove = deletionOf(resource, conditions);
  const acts = actionsOf(context.catalogue, resource).map(
    (action) => [action.name, conditions.verdict(action)] as const,
  );
  const values = await conditions.evaluate();
  const customFields = await customFieldsIn(context, resource);
  return {
    update: update(values, customFields),
    delete: remove(values),
    actions: Object.fromEntries(acts.map(([name, verdict]) => [name, verdict(values)])),
  };
}

/** Reads the values that an earlier step added to the statement. Without a row, they are undefined. */
type Read<T> = (values: Row) => T;

function changesOf(
  context: ReadContext,
  resource: Resource,
  conditions: RowStatement,
): (values: Row, customFields: InputRules["customFields"]) => readonly string[] {
  const { actor } = context;
  const { update } = resource.operations;
  if (!update) return () => [];
  const byHand = "run" in update ? update : undefined;
  const verdict = conditions.verdict({ policy: policyOf(update), ...byHand });
  const rights = reachesOfRights(actor, resource, update)?.map((reach) =>
    conditions.value(conditions.reached(reach)),
  );
  const members = new Map<string, Read<boolean>>();
  const needs = (name: string, condition: string) => {
    const before = members.get(name);
    const value = conditions.value(condition);
    members.set(name, (values) => (before?.(values) ?? true) && values[value] === true);
  };
  for (const [name, one] of Object.entries(resource.relationships)) {
    const policy = linkPolicyOf(one);
    if (policy) needs(name, conditions.right(policy));
  }
  for (const [name, one] of Object.entries(byHand?.changesIf ?? {}))
    needs(name, conditions.sql(one));
  const ends = endStatuses(context.catalogue, resource).map((status) => `'${status}'`);
  if (ends.length > 0) needs("status", `${resource.table}.status not in (${ends.join(", ")})`);

  return (values, customFields) => {
    if (verdict(values) !== true) return [];
    const rules: InputRules = {
      actor,
      customFields,
      id: "",
      rights:
        rights &&
        rightsIn(
          update,
          rights.map((position) => values[position] === true),
        ),
    };
    return changeable(resource, rules).filter((name) => members.get(name)?.(values) ?? true);
  };
}

/** The statuses that no request can change. */
function endStatuses({ states }: Catalogue, { type }: Resource): readonly string[] {
  const { changes = [], statuses = [] } = states.find((one) => one.type === type) ?? {};
  return statuses.filter((one) => !changes.some(({ follows, from }) => from === one && !follows));
}

/** The members that the caller's rights on the row allow. Each custom field has a name of its own, as in `changed-fields`. */
function changeable(resource: Resource, rules: InputRules): string[] {
  const attributes = Object.keys(resource.attributes).filter((name) =>
    mayWrite(resource, name, rules),
  );
  const fields = [...(rules.customFields?.fields ?? [])]
    .filter(([name, { archived }]) => !archived && rules.customFields?.mayWrite(rules, name))
    .map(([name]) => `custom-properties.${name}`);
  const relationships = Object.entries(resource.relationships)
    .filter(([, one]) => isWritable(one, "existing") && mayLink(one, rules))
    .map(([name]) => name);
  return [
    ...attributes.flatMap((name) =>
      resource.customProperties && name === "custom-properties" ? fields : name,
    ),
    ...relationships,
  ];
}

function deletionOf(resource: Resource, conditions: RowStatement): Read<Verdict> {
  const { delete: remove } = resource.operations;
  if (!remove) return () => false;
  return conditions.verdict({ policy: policyOf(remove), ...("run" in remove && remove) });
}

function* conditionsOf(catalogue: Catalogue, resource: Resource): Generator<RowCondition> {
  const { delete: remove, update } = resource.operations;
  for (const operation of [update, remove])
    if (operation && "run" in operation) yield* conditionsIn(operation);
  if (update && "run" in update) yield* Object.values(update.changesIf ?? {});
  for (const action of actionsOf(catalogue, resource)) yield* conditionsIn(action);
}

const conditionsIn = ({ allowedIf, refusedIf = {} }: RowConditions): RowCondition[] => [
  ...(allowedIf ? [allowedIf] : []),
  ...Object.values(refusedIf),
];

/** The answers by the keys of the questions. A question that the rights of the caller make pointless is not asked. */
async function answersTo(
  context: ReadContext,
  id: string,
  conditions: Iterable<RowCondition>,
): Promise<ReadonlyMap<string, boolean>> {
  const answers = new Map<string, boolean>();
  for (const { ask, key, needs } of questionsIn(conditions))
    if (!answers.has(key) && needs.some((one) => holdsBeyondSelf(context.actor, one)))
      answers.set(key, await ask(context, id));
  return answers;
}

type Judged = Omit<OfferedAction, "name">;

/** Conditions on one row and on the rights of a caller there, which one statement evaluates. */
class RowStatement {
  readonly #context: ReadContext;
  readonly #resource: Resource;
  readonly #answers: ReadonlyMap<string, boolean>;
  readonly #statement: StatementBuilder;
  /** The SQL of each reach, by its text. */
  readonly #reaches = new Map<string, string>();
  readonly #values: string[] = [];

  constructor(
    context: ReadContext,
    resource: Resource,
    id: string,
    answers: ReadonlyMap<string, boolean>,
  ) {
    this.#context = context;
    this.#resource = resource;
    this.#answers = answers;
    this.#statement = new StatementBuilder(context.actor.accountId, id);
  }

  /** Whether the caller reaches the row with a policy, as an SQL expression. */
  right(policy: Policy, paths = this.#resource.reach ?? {}): string {
    return this.reached(reachOf(this.#context.actor, policy, paths));
  }

  /** The same for a reach. Each reach is evaluated once. */
  reached(reach: Reach): string {
    if (reach === "everything") return "true";
    if (reachesNothing(reach)) return "false";
    const key = JSON.stringify(reach);
    const position = [...this.#reaches.keys()].indexOf(key);
    if (position >= 0) return `rights.r${position}`;
    this.#reaches.set(key, reachedBy(this.#statement, this.#resource, reach));
    return `rights.r${this.#reaches.size - 1}`;
  }

  sql({ parts, texts }: RowCondition): string {
    return texts.map((text, position) => text + this.#part(parts[position] ?? "")).join("");
  }

  #part(part: RowPart): string {
    if (typeof part === "string") return part;
    if ("texts" in part) return `(${this.sql(part)})`;
    switch (part.kind) {
      case "caller":
        return `${this.#statement.bind(this.#context.actor.personId)}::uuid`;
      case "status":
        return `${this.#statement.bind(this.#context.actor.administrativeStatus)}::text`;
      case "permissions":
        return `${this.#statement.bind(this.#permissionsInAccount())}::text[]`;
      case "at":
        return this.right(part.policy);
      case "in-account":
        return String(holds(this.#context.actor, part.permission));
      case "question":
        return String(this.#answers.get(part.key) ?? false);
    }
  }

  #permissionsInAccount(): string[] {
    const { actor, catalogue } = this.#context;
    return [...catalogue.declared.permissions].filter((one) => holds(actor, one));
  }

  /** Adds an expression to the statement. Returns its position among the values. */
  value(expression: string): number {
    return this.#values.push(expression) - 1;
  }

  verdict({ allowedIf, inAccount, policy, refusedIf = {} }: Judged): Read<Verdict> {
    const allowed = allowedIf
      ? this.sql(allowedIf)
      : this.right(policy, inAccount ? {} : undefined);
    const codes = Object.entries(refusedIf).map(
      ([code, one]) => ` when ${this.sql(one)} then '${code}'`,
    );
    const position = this.value(
      `case when (${allowed}) is not true then 'forbidden'${codes.join("")} else 'true' end`,
    );
    return (values) => {
      const value = (values[position] ?? "forbidden") as Code | "true";
      return value === "true" ? true : value === "forbidden" ? false : value;
    };
  }

  /** The values, or none if the row no longer exists. */
  async evaluate(): Promise<Row> {
    if (this.#values.length === 0) return [];
    const { table } = this.#resource;
    const rights = [...this.#reaches.values()].map(
      (sql, position) => `coalesce(${sql}, false) as r${position}`,
    );
    // Without `offset 0`, PostgreSQL would repeat a reach wherever it is used.
    const lateral =
      rights.length > 0
        ? ` cross join lateral (select ${rights.join(", ")} offset 0) as rights`
        : "";
    const [row = []] = await this.#statement.rows(
      this.#context.db,
      `select ${this.#values.join(", ")} from ${table}${lateral}` +
        ` where ${ownRows(this.#statement, this.#resource, "everything")} and ${table}.id = ${this.#statement.id}`,
    );
    return row;
  }
}
