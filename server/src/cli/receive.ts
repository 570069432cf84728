import { createInterface } from "node:readline";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { HOUR, MINUTE, SECOND } from "../base/clock.ts";
import type { AddCommand, Context, Outcome } from "./context.ts";
import { CommandError } from "./failure.ts";
import { readHiddenLine } from "./hidden-input.ts";
import { wholeNumber } from "./options.ts";
import type { Conduct } from "./receive/answer.ts";
import { firstSteps } from "./receive/first-steps.ts";
import { KnownSecrets } from "./receive/known-secrets.ts";
import { ownCertificate } from "./receive/own-certificate.ts";
import { type ReceiverOptions, startReceiver } from "./receive/receiver.ts";
import { asJson, linesAfter, linesOnArrival } from "./receive/report.ts";
import { Signals } from "./signals.ts";

export const addReceive: AddCommand = (program, context) =>
  program
    .command("receive")
    .description(
      "Receive webhooks on this machine and show them. With --json, print one JSON object per message.",
    )
    .option("--port <number>", "The port to listen on at 127.0.0.1.", port, 8443)
    .option(
      "--answer <status>",
      "The status that answers events and test messages. Try 500 to see retries.",
      status,
      200,
    )
    .option(
      "--delay <duration>",
      "How long to wait before each answer, for example 12s. The service hangs up after 10 s.",
      duration,
      0,
    )
    .action(
      context.action((options) =>
        receive(options.port, { status: options.answer, delayMs: options.delay }, context),
      ),
    );

function port(value: string): number {
  const number = wholeNumber(value);
  if (number >= 1 && number <= 65_535) return number;
  throw new InvalidArgumentError("It must be from 1 to 65535.");
}

function status(value: string): number {
  const number = wholeNumber(value);
  if (number >= 200 && number <= 599) return number;
  throw new InvalidArgumentError("It must be a status from 200 to 599.");
}

const units: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE };

function duration(value: string): number {
  const [, amount, unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m)$/.exec(value) ?? [];
  const ms = Number(amount) * (units[unit] ?? 0);
  if (ms > 0 && ms <= HOUR) return ms;
  throw new InvalidArgumentError("It must be at most one hour, for example 500ms, 12s or 2m.");
}

async function receive(port: number, conduct: Conduct, context: Context): Promise<Outcome> {
  // WEBHOOK_CA_FILE may name the file that this command is about to create.
  const config = context.config("WEBHOOK_CA_FILE");
  const certificate = ownCertificate(config.dataDir);
  const secrets = new KnownSecrets();
  const stop = await start({ certificate, port, secrets, conduct, ...reporters(context) });
  const signals = new Signals();
  const over = new AbortController();
  try {
    context.say(firstSteps(config, certificate, `https://127.0.0.1:${port}/`).join("\n"));
    const typing = readSecrets(secrets, context, over.signal);
    await Promise.race([signals.first, typing.then(() => signals.first)]).catch(unlessInterrupted);
  } finally {
    over.abort();
    signals.end();
    await stop();
  }
  return { json: undefined, lines: [] };
}

function reporters({ json, print }: Context): Pick<ReceiverOptions, "onMessage" | "onEnding"> {
  const printAll = (lines: readonly string[]) => lines.forEach(print);
  return json
    ? {
        onMessage: () => {},
        onEnding: (received, ending) => print(JSON.stringify(asJson(received, ending))),
      }
    : {
        onMessage: (received) => printAll([...linesOnArrival(received), ""]),
        onEnding: (received, ending) => printAll(linesAfter(received, ending)),
      };
}

async function start(options: ReceiverOptions): Promise<() => Promise<void>> {
  try {
    return await startReceiver(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new CommandError(
      "port-unavailable",
      `Port ${options.port} is ${code === "EACCES" ? "not permitted for this user" : "already in use"}. Choose another with --port.`,
    );
  }
}

/**
 * Reads secrets from standard input while the receiver runs. A secret is known only after the endpoint is registered,
 * and registration already sends a message. Secrets are never arguments, because every user of the machine can read
 * the arguments of processes.
 */
async function readSecrets(
  secrets: KnownSecrets,
  { say }: Context,
  signal: AbortSignal,
): Promise<void> {
  for await (const line of linesTyped(signal)) {
    if (line.trim() === "") continue;
    say(
      secrets.add(line.trim())
        ? "Checking signatures with this secret from now on."
        : "This is not a signing secret. A secret starts with whsec_ and is shown once, when an endpoint is created or its secret is rotated.",
    );
  }
}

async function* linesTyped(signal: AbortSignal): AsyncGenerator<string> {
  if (process.stdin.isTTY) for (;;) yield await readHiddenLine("", signal);
  else yield* createInterface({ input: process.stdin, signal });
}

function unlessInterrupted(error: unknown): void {
  if (!(error instanceof CommandError && error.code === "interrupted")) throw error;
}
