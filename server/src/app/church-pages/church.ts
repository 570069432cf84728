import { notFound } from "../../base/errors.ts";
import type { Actor } from "../../access/actor.ts";
import { findPageVisitor } from "../../access/visitor.ts";
import type { RequestContext } from "../../jsonapi/routes/steps.ts";
import {
  contextFor,
  publicDocument,
  publicList,
  type VisitDependencies,
} from "../../jsonapi/routes/public.ts";
import { type Language, languageOf } from "../../mail/languages.ts";
import { Formats } from "./formats.ts";
import { type Words, wordsIn } from "./words.ts";

/** The attributes of the public area that the pages show. */
export interface PublicTypes {
  "accounts": {
    "church-name": string;
    "logo-url": string | null;
    "phone": string | null;
    "website": string | null;
    "address": Address | null;
    "settings": {
      "lang"?: string;
      "time-zone"?: string;
      "country"?: string;
      "first-weekday"?: number;
      "cells-label"?: string;
    };
  };
  "courses": {
    "name": string;
    "summary": string | null;
    "description": string | null;
    "price": number | null;
    "price-currency": string | null;
    "image-url": string | null;
    "category": string | null;
    "enrollment-policy": string;
    "has-open-classes": boolean;
    /** Only of a single course. */
    "lessons"?: readonly { number: number; name: string }[];
  };
  "course-classes": {
    "course-id": string;
    "name": string;
    "starts": string | null;
    "ends": string | null;
    "schedule": readonly { "weekday": number; "starts-at": number; "ends-at": number }[];
    "mode": keyof Words["mode"];
    "location": string | null;
    "time-zone": string;
    "enrollment-closes-at": string | null;
    "seats-left": keyof Words["seats"];
    "teachers": readonly string[];
  };
  "cells": {
    "name": string;
    "category": string | null;
    "gender-category": keyof Words["gender"];
    "age-min": number | null;
    "age-max": number | null;
    "weekday": number | null;
    "starts-at": number | null;
    "ends-at": number | null;
    "frequency": keyof Words["frequency"];
    "is-online": boolean;
    "neighborhood": string | null;
    "city": string | null;
    "distance": number | null;
    "accepts-requests": boolean;
    /** Only of a single cell. */
    "description"?: string | null;
    "leaders"?: readonly {
      "name": string;
      "email"?: string;
      "phone"?: string;
      "phone-display"?: string;
    }[];
    "address"?: Address | null;
  };
}

type Address = Partial<Record<AddressMember, string | null>>;
type AddressMember =
  | "street"
  | "number"
  | "complement"
  | "neighborhood"
  | "city"
  | "state"
  | "postal-code";

export type Shown<Type extends keyof PublicTypes> = { id: string } & PublicTypes[Type];

interface ResourceObject {
  id: string;
  attributes: Record<string, unknown>;
}

/** A church as a visitor of its pages sees it. It reads the documents of the public area, so both show the same. */
export class Church {
  readonly actor: Actor;
  readonly alias: string;
  readonly formats: Formats;
  readonly language: Language;
  readonly publicUrl: string;
  readonly shown: PublicTypes["accounts"];
  readonly words: Words;
  readonly #context: RequestContext;

  private constructor(
    { alias, publicUrl }: { alias: string; publicUrl: string },
    context: RequestContext,
    shown: PublicTypes["accounts"],
  ) {
    this.#context = context;
    this.actor = context.actor;
    this.alias = alias;
    this.publicUrl = publicUrl;
    this.shown = shown;
    this.language = languageOf(shown.settings.lang);
    this.words = wordsIn[this.language];
    this.formats = new Formats(this.language, shown.settings);
  }

  /** Throws 404 unless the account shows pages. */
  static async named(alias: string, dependencies: VisitDependencies): Promise<Church> {
    const known = alias.toLowerCase();
    const visitor = await findPageVisitor(dependencies.db, known);
    if (!visitor) throw notFound();
    const context = contextFor(dependencies, visitor);
    const { publicUrl } = dependencies;
    return new Church(
      { alias: known, publicUrl },
      context,
      await readOne(context, "accounts", "me"),
    );
  }

  get name(): string {
    return this.shown["church-name"];
  }

  /** The church's own word for its cells. */
  get groups(): string {
    return this.shown.settings["cells-label"] ?? this.words.groups;
  }

  /** The path of a page, for links. */
  path(page = ""): string {
    return `${new URL(this.publicUrl).pathname.replace(/\/$/, "")}/c/${this.alias}${page}`;
  }

  /** The address of a page, for other sites. */
  url(page = ""): string {
    return new URL(this.path(page), this.publicUrl).href;
  }

  one<Type extends keyof PublicTypes>(type: Type, id: string): Promise<Shown<Type>> {
    return readOne(this.#context, type, id);
  }

  async list<Type extends Exclude<keyof PublicTypes, "accounts">>(
    type: Type,
    query: Readonly<Record<string, string>>,
  ): Promise<{ items: Shown<Type>[]; total: number }> {
    const body = await publicList(this.#context, publicDefinitionOf(this.#context, type), query);
    const { data, meta } = JSON.parse(body) as {
      data: ResourceObject[];
      meta: { total: number };
    };
    return { items: data.map((one) => asShown<Type>(one)), total: meta.total };
  }
}

async function readOne<Type extends keyof PublicTypes>(
  context: RequestContext,
  type: Type,
  id: string,
): Promise<Shown<Type>> {
  const body = await publicDocument(context, publicDefinitionOf(context, type), id);
  return asShown<Type>((JSON.parse(body) as { data: ResourceObject }).data);
}

const asShown = <Type extends keyof PublicTypes>({ attributes, id }: ResourceObject) =>
  ({ id, ...attributes }) as Shown<Type>;

function publicDefinitionOf({ catalogue }: RequestContext, type: string) {
  const found = catalogue.publicTypes.get(type);
  if (!found) throw notFound();
  return found;
}
