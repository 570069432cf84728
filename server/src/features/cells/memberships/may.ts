import { at, inAccount, onRow } from "../../../jsonapi/definition/row-conditions.ts";

/** The rule of `assertMayAppoint`, as `meta.may` shows it: the right to give and to end leading roles of the cell. */
const mayAppoint = onRow`case when (select cell_type from cells cell where cell.account_id = cell_memberships.account_id
    and cell.id = cell_memberships.cell_id) = 'supervision'
  then ${inAccount("role-assignments:write")} else ${at("role-assignments:write")} end`;

export const mayChangeRole = onRow`not is_leading_role(cell_memberships.cell_role) or ${mayAppoint}`;

export const mayEnd = onRow`${at("cell-memberships:write")} and (${mayChangeRole})`;
