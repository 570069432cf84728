import assert from "node:assert/strict";
import { type Answer, document, one, type TestService } from "./service.ts";

/** Forms and submissions, sent as staff and members send them. */

export type Attributes = Record<string, unknown>;

const link = (type: string, id: string) => ({ data: { type, id } });

export const nameAndEmail = [
  { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
  { key: "email", type: "email", label: "E-mail", "maps-to": "email" },
];

interface Place {
  cell?: string;
  course?: string;
  owner?: string | null;
}

export function postForm(
  service: TestService,
  attributes: Attributes,
  { as, cell, course, owner }: Place & { as?: string } = {},
): Promise<Answer> {
  const relationships = {
    ...(cell && { cell: link("cells", cell) }),
    ...(course && { course: link("courses", course) }),
    ...(owner && { owner: link("people", owner) }),
    ...(owner === null && { owner: { data: null } }),
  };
  return service.post(
    "/v1/forms",
    document(
      "forms",
      { name: "New here?", fields: nameAndEmail, ...attributes },
      { relationships },
    ),
    as ? { as } : {},
  );
}

/** An open form. Returns its id. */
export async function makeForm(
  service: TestService,
  attributes: Attributes = {},
  place: Place = {},
): Promise<string> {
  const answer = await postForm(service, { status: "open", ...attributes }, place);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
}

export const patchForm = (
  service: TestService,
  id: string,
  attributes: Attributes,
  { as, relationships = {} }: { as?: string; relationships?: Attributes } = {},
): Promise<Answer> =>
  service.patch(
    `/v1/forms/${id}`,
    document("forms", attributes, { id, relationships }),
    as ? { as } : {},
  );

export const fillIn = (
  service: TestService,
  form: string,
  answers: Attributes,
  { as, person, ...attributes }: Attributes & { as?: string; person?: string } = {},
): Promise<Answer> =>
  service.post(
    "/v1/form-submissions",
    document(
      "form-submissions",
      { answers, ...attributes },
      {
        relationships: {
          form: link("forms", form),
          ...(person && { person: link("people", person) }),
        },
      },
    ),
    as ? { as } : {},
  );

export async function makeSubmission(
  service: TestService,
  form: string,
  answers: Attributes,
): Promise<string> {
  const answer = await fillIn(service, form, answers);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
}

export const moderate = (
  service: TestService,
  id: string,
  attributes: Attributes,
  {
    as,
    headers,
    person,
  }: { as?: string; person?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  service.patch(
    `/v1/form-submissions/${id}`,
    document("form-submissions", attributes, {
      id,
      ...(person !== undefined && {
        relationships: { person: person === null ? { data: null } : link("people", person) },
      }),
    }),
    { ...(as && { as }), ...(headers && { headers }) },
  );
