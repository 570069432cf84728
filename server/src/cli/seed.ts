import { generatedPassword } from "../access/generated-password.ts";
import { hashPassword } from "../access/passwords.ts";
import { ALIAS } from "../features/accounts/create-account.ts";
import { seed } from "../app/seed/seed.ts";
import { progressBar } from "../app/seed/progress.ts";
import { sizes } from "../app/seed/shape.ts";
import { type Command, command, CommandError } from "./command.ts";
import { withDatabase } from "./database.ts";
import { choice } from "./options.ts";

export const commands: readonly Command[] = [
  command({
    name: "seed",
    summary: "Adds invented churches to try things on; the same ones each time.",
    options: {
      "size": choice(
        sizes,
        "How much: 200 people in one church, 5,000 in one, or 1,000,000 in 200 churches.",
      ),
      "seed": { kind: "number", default: 1, description: "Other numbers give other people." },
      "prefix": {
        kind: "text",
        optional: true,
        description: "The alias of the church, or what the aliases begin with; the size otherwise.",
      },
      "password-stdin": {
        kind: "flag",
        optional: true,
        description: "Read the full administrators' password from standard input.",
      },
    },
    async run({ size, seed: number, prefix = size, ...values }, context) {
      if (!ALIAS.test(`${prefix}-001`))
        throw new CommandError(
          "invalid-alias",
          "A prefix has lower-case letters and digits, with single hyphens between them.",
        );
      const given = values["password-stdin"] ? await context.password() : undefined;
      const password = given ?? generatedPassword();
      const passwordHash = await hashPassword(password);
      const startedAt = performance.now();
      const made = await withDatabase(
        context,
        (db) => seed(db, { size, seed: number, prefix, passwordHash }, progressBar(context.stderr)),
        { connections: 4, statementMsMax: 0 },
      );
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      const count = made.people.toLocaleString("en");
      const churches = made.churches === 1 ? "1 church" : `${made.churches} churches`;
      return {
        json: {
          churches: made.churches,
          people: made.people,
          aliases: made.aliases,
          login: { ...made.login, ...(given === undefined && { password }) },
          seconds,
        },
        lines: [
          `Added ${churches} with ${count} people in ${seconds} s: ${made.aliases.join(", ")}${made.churches > made.aliases.length ? ", …" : ""}.`,
          `The full administrator of ${made.login.alias} logs in as ${made.login.email} with ` +
            (given === undefined
              ? `the password ${password}, which is shown only now.`
              : "the password you gave."),
          ...(made.churches > 1
            ? ["The others do the same with their own alias in the address."]
            : []),
        ],
      };
    },
  }),
];
