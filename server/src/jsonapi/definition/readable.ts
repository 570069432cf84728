/**
 * A condition in the SQL of an attribute or a filter: the caller reads more than the name of the resource whose id is in a column. An
 * attribute then says nothing about resources that its reader cannot read. Events show it as a reader of the whole account sees it.
 */
export const readable = (type: string, column: string): string => `$readable(${type} ${column})`;

const MARK = /\$readable\((\S+) ([^)\s]+)\)/g;

export const dependsOnReader = (sql: string): boolean => sql.includes("$readable(");

/** Replaces each such condition. */
export const replaceReadable = (
  sql: string,
  conditionOf: (type: string, column: string) => string,
): string => sql.replace(MARK, (_, type: string, column: string) => conditionOf(type, column));

/** The SQL for a reader of the whole account. */
export const readByAll = (sql: string): string => replaceReadable(sql, () => "true");
