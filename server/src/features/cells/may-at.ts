import * as reach from "../../jsonapi/sql/reach.ts";

export const mayAt = reach.mayAt("cells");

export const assertMayAt = reach.assertMayAt("cells", "cell");
