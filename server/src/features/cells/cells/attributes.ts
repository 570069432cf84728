import { integer } from "../../../jsonapi/definition/attributes.ts";

/** Attributes that cells share with proposals of new cells. */

export const frequencies = ["weekly", "fortnightly", "monthly", "irregular"] as const;

export const genderCategories = ["mixed", "women", "men", "couples", "youth", "children"] as const;

/** 0 is Sunday. */
export const weekday = () => integer({ minimum: 0, maximum: 6 });
