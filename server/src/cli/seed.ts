import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { generatedPassword } from "../access/generated-password.ts";
import { refusalOf } from "../access/new-passwords.ts";
import { hashPassword } from "../access/passwords.ts";
import { limits } from "../base/limits.ts";
import { ALIAS } from "../features/accounts/create-account.ts";
import { seed } from "../app/seed.ts";
import { SEEDED_PEOPLE_MAX, SEEDED_PEOPLE_MIN, sizes } from "../sample-data/shape.ts";
import type { AddCommand } from "./context.ts";
import { withDatabase } from "./database.ts";
import { assertPossible } from "./password.ts";
import { CommandError } from "./failure.ts";
import { progressBar } from "./progress-bar.ts";
import { serverNumber, text, wholeNumber } from "./options.ts";

export const addSeed: AddCommand = (program, context) =>
  program
    .command("seed")
    .description("Create accounts with generated data. The same options create the same data.")
    .addOption(
      new Option(
        "--size <size>",
        "200 people in one account, 5,000 in one, or 1,000,000 in 200 accounts, with their cells and meetings.",
      ).choices(sizes),
    )
    .addOption(
      new Option("--people <number>", "Instead of --size: this many people in one account.")
        .argParser(peopleCount)
        .conflicts("size"),
    )
    .option("--seed <number>", "Another number creates other people.", wholeNumber, 1)
    .addOption(
      text(
        "--prefix <alias>",
        "The alias, or the start of each alias. The default is the size, or people-<number>.",
      ),
    )
    .addOption(serverNumber("--server <number>").default(1))
    .option("--password-stdin", "Read the full administrators' password from standard input.")
    .action(
      context.action(async ({ passwordStdin, people: count, seed: number, server, ...options }) => {
        const size = count ?? options.size;
        if (size === undefined)
          throw new CommandError("usage", "Missing option: give --size or --people.", 2);
        const { prefix = typeof size === "number" ? `people-${size}` : size } = options;
        if (!ALIAS.test(`${prefix}-001`))
          throw new CommandError(
            "invalid-alias",
            "--prefix must consist of lower-case letters and digits with single hyphens between them.",
          );
        const given = passwordStdin ? await context.password() : undefined;
        const lengthMin = limits.newPasswordLengthMin;
        // The people of the accounts are not made yet.
        if (given !== undefined)
          assertPossible(await refusalOf(given, { lengthMin, owner: undefined }));
        const password = given ?? generatedPassword();
        const passwordHash = await hashPassword(password);
        const startedAt = performance.now();
        const created = await withDatabase(
          context,
          (db) =>
            seed(
              db,
              { size, seed: number, prefix, passwordHash, server },
              progressBar(context.stderr),
            ),
          { connections: 4, statementMsMax: 0 },
        );
        const { aliases, churches, login, people } = created;
        const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
        const accounts = churches === 1 ? "1 account" : `${churches} accounts`;
        const listed = `${aliases.join(", ")}${churches > aliases.length ? ", …" : ""}`;
        return {
          json: {
            churches,
            people,
            aliases,
            login: { ...login, ...(given === undefined && { password }) },
            seconds,
          },
          lines: [
            `Created ${accounts} with ${people.toLocaleString("en")} people in ${seconds} s: ${listed}.`,
            `The full administrator of ${login.alias} logs in as ${login.email} with ` +
              (given === undefined
                ? `the password ${password}, which is shown only once.`
                : "the given password."),
            ...(churches > 1
              ? ["In the other accounts, the address contains the alias of that account."]
              : []),
          ],
        };
      }),
    );

function peopleCount(value: string): number {
  const count = wholeNumber(value);
  if (count >= SEEDED_PEOPLE_MIN && count <= SEEDED_PEOPLE_MAX) return count;
  throw new InvalidArgumentError(`It must be from ${SEEDED_PEOPLE_MIN} to ${SEEDED_PEOPLE_MAX}.`);
}
