import { onRow } from "../../jsonapi/definition/row-conditions.ts";

/** Whether a cell takes no new members, meetings and multiplications. */
export const isClosed = onRow`cells.closed_at is not null`;
