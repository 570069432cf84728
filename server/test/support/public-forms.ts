import assert from "node:assert/strict";
import { newFormToken } from "../../src/features/visitors/form-tokens.ts";
import { type Answer, document, one, type Resource, type TestService } from "./service.ts";
import { sendAsVisitor, visitorOf } from "./visits.ts";

export const nameAndEmail = [
  { "key": "full-name", "type": "text", "label": "Name", "required": true, "maps-to": "full-name" },
  { "key": "email", "type": "email", "label": "E-mail", "required": true, "maps-to": "email" },
] as const;

/** An open form that asks for a name and an address, without a proof. */
export async function makeForm(
  service: TestService,
  attributes: Record<string, unknown> = {},
): Promise<string> {
  const answer = await service.post(
    "/v1/forms",
    document("forms", {
      name: "New here?",
      status: "open",
      challenge: "none",
      fields: nameAndEmail,
      ...attributes,
    }),
  );
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
}

/** Reads a form as a visitor. */
export const readForm = (service: TestService, idOrSlug: string): Promise<Answer> =>
  service.get(`/p/v1/forms/${idOrSlug}`, visitorOf(service.account.id));

/** The key with which test services sign tokens. */
const KEY = Buffer.alloc(32, 2);

/** A token of a page that a visitor has looked at for some time. */
export function formToken(
  accountId: string,
  formId: string,
  { ageMs = 10_000, version = 1 }: { ageMs?: number; version?: number } = {},
): string {
  const { now: real } = Date;
  // The token contains the time at which it was made.
  Date.now = () => real() - ageMs;
  try {
    return newFormToken(KEY, { accountId, formId, version });
  } finally {
    Date.now = real;
  }
}

/** Submits a form as a visitor who took some time. */
export const submit = (
  service: TestService,
  formId: string,
  attributes: Record<string, unknown> = {},
  headers: Record<string, string | null> = {},
): Promise<Answer> =>
  sendAsVisitor(
    service,
    service.account.id,
    "form-submissions",
    document(
      "form-submissions",
      {
        "form-version": 1,
        "answers": { "full-name": "Ana Lima", "email": "ana.lima@visitor.example" },
        "form-token": formToken(service.account.id, formId),
        ...attributes,
      },
      { relationships: { form: { data: { type: "forms", id: formId } } } },
    ),
    headers,
  );

export const submissionsOf = async (service: TestService, formId: string): Promise<Resource[]> =>
  (await service.get(`/v1/form-submissions?filter[form]=${formId}`)).document.data as Resource[];
