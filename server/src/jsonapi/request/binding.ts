/** The part of a statement that conditions need: its account, and a place for each value. */
export interface Binding {
  readonly account: string;
  bind(value: unknown): string;
}

/** A filter that has been checked. It writes its SQL with the values bound to a statement. */
export type Condition = (statement: Binding) => string;

/** A single value is compared without an array, which PostgreSQL plans and runs faster. */
export const anyOf = (statement: Binding, values: readonly unknown[], type: string): string =>
  values.length === 1
    ? `= ${statement.bind(values[0])}::${type}`
    : `= any(${statement.bind(values)}::${type}[])`;
