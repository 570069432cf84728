import { notAllowedHere } from "../../base/errors.ts";
import {
  boolean,
  choice,
  describe,
  example,
  integer,
  lines,
  object,
  optional,
  text,
} from "./attributes.ts";
import { email } from "./contact.ts";
import { named } from "./names.ts";
import { phoneNumber } from "./phones.ts";
import type { CommandFields, PublicWrite } from "./resource.ts";

/** Checks the operation of a public write against its fields. */
export function publicWrite<
  const A extends CommandFields["attributes"],
  const R extends CommandFields["relationships"],
>(definition: PublicWrite<{ attributes: A; relationships: R }>): PublicWrite;
export function publicWrite(definition: PublicWrite): PublicWrite {
  return definition;
}

/** The field that people do not see and programs fill in. */
export const honeypot = () =>
  describe(optional(text({ maxLength: 1_000 })), {
    description: "People do not see it. A value marks the sender as a program.",
  });

export const isFilledIn = (website: string | null | undefined): boolean =>
  (website ?? "").trim() !== "";

/** A solved challenge in the form of the ALTCHA widget. */
export const proof = () =>
  describe(optional(text({ maxLength: 4_000 })), {
    description:
      "Base64 of the solved challenge, as the ALTCHA widget makes it. `POST /p/v1/challenges` returns a new challenge.",
  });

/** A challenge as a document contains it. */
export const challenge = () =>
  optional(
    object({
      type: choice(["pow"]),
      algorithm: choice(["SHA-256"]),
      salt: text({ maxLength: 100 }),
      challenge: text({ maxLength: 64 }),
      maxnumber: integer(),
      signature: text({ maxLength: 64 }),
    }),
  );

export const consent = () =>
  describe(boolean(), {
    example: true,
    check: (value) =>
      value === false ? notAllowedHere("It is `true` if the visitor consents.") : undefined,
  });

/** The attributes of a request of a visitor to take part in something. */
export const requestOfVisitor = {
  "contact": example(
    { "full-name": "Ana Lima", "email": "ana.lima@example.org" },
    object({
      "full-name": named(255),
      "email": email(),
      "phone": optional(phoneNumber()),
    }),
  ),
  "message": example("I would like to come.", optional(lines({ maxLength: 1_000 }))),
  "consent": consent(),
  "website": honeypot(),
  "proof": describe(proof(), {
    description:
      "Required while `public-challenge` of the account's settings is `pow`. It is the base64 of a solved challenge, as the ALTCHA widget makes it.",
  }),
};

/** Texts that look the same are stored the same. */
export function normalized({
  contact,
  message = null,
}: {
  contact: { "full-name": string; "email": string; "phone"?: string | null };
  message?: string | null;
}) {
  return {
    contact: {
      "full-name": contact["full-name"].normalize("NFC").trim(),
      "email": contact.email.normalize("NFC"),
      ...(contact.phone && { phone: contact.phone }),
    },
    message: message?.normalize("NFC") ?? null,
  };
}
