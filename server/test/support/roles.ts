import { type Answer, document, type TestService } from "./service.ts";

export interface Granting {
  /** The id of a role, or the code of a preset. */
  role: string;
  personId: string;
  /** The scope is the account unless these say otherwise. */
  scopeType?: string;
  scopeIds?: readonly string[];
  /** Further attributes. */
  attributes?: Record<string, unknown>;
  as?: string;
}

/** POST /v1/role-assignments */
export async function grant(
  service: TestService,
  { as, attributes, personId, role, scopeIds, scopeType = "account" }: Granting,
): Promise<Answer> {
  const presets = await service.get("/v1/roles", as === undefined ? {} : { as });
  const all = presets.document.data as { id: string; attributes: Record<string, unknown> }[];
  const id = all.find((one) => one.attributes["code"] === role)?.id ?? role;
  const scope = { "scope-type": scopeType, ...(scopeIds && { "scope-ids": scopeIds }) };
  const relationships = {
    role: { data: { type: "roles", id } },
    person: { data: { type: "people", id: personId } },
  };
  const body = document("role-assignments", { ...scope, ...attributes }, { relationships });
  return service.post("/v1/role-assignments", body, as === undefined ? {} : { as });
}
