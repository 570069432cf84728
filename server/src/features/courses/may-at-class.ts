import { assertMayAt, mayAt } from "../../jsonapi/sql/reach.ts";

export const mayAtClass = mayAt("course-classes");

export const assertMayAtClass = assertMayAt("course-classes", "class");
