import { type Code, notAllowedHere } from "../../base/errors.ts";
import type { Queryable } from "../../store/db.ts";
import {
  type Attribute,
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
import type { CommandFields } from "./command.ts";
import { email } from "./contact.ts";
import type { CreateInput } from "./input.ts";
import { named } from "./names.ts";
import { phoneNumber } from "./phones.ts";
import type { WriteContext } from "./resource.ts";

/**
 * A type that visitors of a website create with `POST /p/v1/<type>`. They get a receipt and read nothing back. The receipt is
 * the same for people whom the account knows and for strangers.
 */
export interface PublicWrite<F extends CommandFields = CommandFields> {
  type: string;
  /** One sentence for the reference. */
  description: string;
  attributes: F["attributes"];
  relationships: F["relationships"];
  status: 201 | 202;
  /** The attributes of the receipt beyond `status`. */
  receipt: Record<string, Attribute>;
  /** The relationship to a resource that takes only so many of them an hour, and how many. Undefined for an absent resource. */
  limited?: {
    by: string;
    perHour: (db: Queryable, key: ResourceKey) => Promise<number | undefined>;
  };
  /** Error codes that `run` raises. */
  refuses: readonly Code[];
  run: (context: VisitContext, input: CreateInput<F>) => Promise<Received>;
  confirmation: Confirmable;
}

/** A visitor writes without rights. `visit` has what proves that a person does it. */
export interface VisitContext extends WriteContext {
  visit: Visit;
}

/** Proofs are taken when the transaction commits, so that a visitor can correct a rejected document. */
export interface Visit {
  /** Whether the account asks for a proof with each request. */
  readonly needsProof: boolean;
  /** A keyed hash of the network from which the request came. */
  readonly senderHash: Buffer;
  /**
   * Checks a solved challenge. Throws 422 for a wrong, used or expired one. A page of the service works without script and
   * therefore without a proof. The result says whether there is one, or none is needed.
   */
  checkProof(proof: string | null | undefined, isNeeded: boolean): Promise<boolean>;
  /** Checks the token of a form. Throws 422 for a token that is not the service's or not of this form, and 409 for a used one. */
  checkToken(token: string, formId: string): Promise<FormToken>;
}

export interface FormToken {
  version: number;
  /** A person would have needed longer to fill in the form. */
  isHasty: boolean;
}

/** The outcome of a write, for the receipt and for the mails that follow. */
export interface Received {
  /** The attributes of the receipt beyond `status`. */
  receipt?: Record<string, unknown>;
  /** The resource and the address that confirms it. Undefined if it is not to be confirmed. */
  confirms?: { id: string; email: string };
  /** The resource and the people who get a mail about its arrival. */
  arrived?: { id: string; personIds: readonly string[] };
}

export interface ResourceKey {
  accountId: string;
  id: string;
}

/** How an e-mail address is confirmed, and what the mails say. They contain nothing that a visitor wrote. */
export interface Confirmable {
  /** The address of a resource that still waits, and the name of its cell, class or form. */
  waiting(db: Queryable, key: ResourceKey): Promise<{ email: string; place: string } | undefined>;
  /** The name of the cell, class or form, and the page of the web app that shows it. */
  arrived(db: Queryable, key: ResourceKey): Promise<{ place: string; page: string } | undefined>;
  /** Marks the address as confirmed, and does what follows from that. The actor is the service. */
  confirm(context: WriteContext, id: string): Promise<void>;
}

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
