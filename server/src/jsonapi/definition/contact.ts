import { countryCode } from "./codes.ts";
import { decimal, formatted, object, optional, text } from "./attributes.ts";
import { named } from "./names.ts";
import { phoneDisplay, phoneNumber } from "./phones.ts";

/** Control characters, and those that change the direction of text. */
const control = "\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";

/** Combining accents, İ and Σ. The database folds them differently from JavaScript. */
const unfoldable = "\\u0300-\\u036f\\u0130\\u03a3";

export const email = () =>
  text({
    title: "Email",
    minLength: 3,
    maxLength: 254,
    pattern: `^[^\\s@,<>"${control}${unfoldable}]+@[^\\s@,<>"${control}${unfoldable}]+$`,
    ...formatted("email"),
  });

export const webAddress = () =>
  text({
    title: "WebAddress",
    maxLength: 2_048,
    pattern: `^https?://[^\\s${control}]+$`,
    ...formatted("url"),
  });

/** A person who has no record yet. */
export const newPerson = () =>
  object({
    "full-name": named(255),
    "email": optional(email()),
    "phone": optional(phoneNumber()),
    "phone-display": phoneDisplay(),
  });

const degrees = (max: number) => decimal({ minimum: -max, maximum: max });

export const address = () =>
  object(
    {
      "street": optional(text({ maxLength: 200 })),
      "number": optional(text({ maxLength: 20 })),
      "complement": optional(text({ maxLength: 100 })),
      "neighborhood": optional(text({ maxLength: 100 })),
      "city": optional(text({ maxLength: 100 })),
      "state": optional(text({ maxLength: 100 })),
      "postal-code": optional(text({ maxLength: 20 })),
      "country": optional(countryCode()),
      "latitude": optional(degrees(90)),
      "longitude": optional(degrees(180)),
    },
    "Address",
  );

export const emergencyContact = () =>
  object({
    "name": named(200),
    "phone": optional(text({ maxLength: 40 })),
    "relationship": optional(text({ maxLength: 60 })),
  });
