import { countryCode } from "./codes.ts";
import { boolean, decimal, describe, list, object, optional, text } from "./attributes.ts";
import { named } from "./names.ts";

const control = "\\u0000-\\u001f\\u007f-\\u009f";

/** Combining accents, İ and Σ. The database folds them differently from JavaScript. */
const unfoldable = "\\u0300-\\u036f\\u0130\\u03a3";

export const email = () =>
  text({
    title: "Email",
    minLength: 3,
    maxLength: 254,
    pattern: `^[^\\s@,<>"${control}${unfoldable}]+@[^\\s@,<>"${control}${unfoldable}]+$`,
    description: "an e-mail address",
    examples: ["ana@example.org"],
  });

export const webAddress = () =>
  text({
    title: "WebAddress",
    maxLength: 2_048,
    pattern: `^https?://[^\\s${control}]+$`,
    description: "a web address that begins with http:// or https://",
    examples: ["https://www.example.org"],
  });

/** A person who has no record yet. */
export const newPerson = () =>
  object({
    "full-name": named(255),
    "email": optional(email()),
    "phone": optional(phoneNumber()),
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

/** E.164: a plus sign, the country code and the number, without separators. */
export const phoneNumber = () =>
  text({
    maxLength: 16,
    pattern: "^\\+[1-9]\\d{6,14}$",
    description: "a telephone number in E.164 format: a plus sign and digits",
    examples: ["+5511987654321"],
  });

export const phones = () =>
  describe(
    list(
      object({
        "number": phoneNumber(),
        "label": optional(named(40)),
        "is-primary": optional(boolean()),
        "is-whatsapp": optional(boolean()),
      }),
      { maxItems: 10 },
    ),
    { description: "Telephone numbers in E.164 format." },
  );

export const emergencyContact = () =>
  object({
    "name": named(200),
    "phone": optional(text({ maxLength: 40 })),
    "relationship": optional(text({ maxLength: 60 })),
  });
