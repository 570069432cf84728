import { createInterface } from "node:readline";
import { HOUR, MINUTE, SECOND } from "../base/clock.ts";
import { type Command, command, CommandError, type Context, usageError } from "./command.ts";
import type { Conduct } from "./receive/answer.ts";
import { firstSteps } from "./receive/first-steps.ts";
import { KnownSecrets } from "./receive/known-secrets.ts";
import { ownCertificate } from "./receive/own-certificate.ts";
import { type ReceiverOptions, startReceiver } from "./receive/receiver.ts";
import { asJson, told, toldAfterwards } from "./receive/telling.ts";
import { Signals } from "./signals.ts";
import { readUnseen } from "./unseen.ts";

export const commands: readonly Command[] = [
  command({
    name: "receive",
    summary: "Receives webhooks on this machine and shows them, to try them out.",
    options: {
      port: { kind: "number", default: 8443, description: "The port to listen on, at 127.0.0.1." },
      answer: {
        kind: "number",
        default: 200,
        description: "The status that events and tests are answered with; 500 shows the retries.",
      },
      delay: {
        kind: "text",
        optional: true,
        description:
          "How long they wait for their answer, like 12s; after 10 s the service hangs up.",
      },
    },
    json: "Print one JSON object for each message, on a line of its own.",
    async run({ port, answer, delay }, context) {
      const conduct = conductOf(answer, delay);
      if (port < 1 || port > 65_535) throw mistake("--port must be from 1 to 65535");
      // The service's, which may name the file that is made here, as the first steps say: at first it is not there.
      const config = context.config("WEBHOOK_CA_FILE");
      const certificate = ownCertificate(config.dataDir);
      const secrets = new KnownSecrets();
      const options = { certificate, port, secrets, conduct, ...tellers(context) };
      const stop = await start(options);
      const signals = new Signals();
      const over = new AbortController();
      try {
        context.say(firstSteps(config, certificate, `https://127.0.0.1:${port}/`).join("\n"));
        const typing = learnSecrets(secrets, context, over.signal);
        await Promise.race([signals.first, typing.then(() => signals.first)]).catch(
          unlessInterrupted,
        );
      } finally {
        over.abort();
        signals.end();
        await stop();
      }
      return { json: undefined, lines: [] };
    },
  }),
];

const mistake = (what: string) =>
  usageError(`vestry receive: ${what}. See npx vestry receive --help.`);

const units: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE };

function conductOf(status: number, delay: string | undefined): Conduct {
  if (status < 200 || status > 599) throw mistake("--answer must be a status from 200 to 599");
  const [, amount = "0", unit = "s"] =
    /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m)$/.exec(delay ?? "0s") ?? [];
  const delayMs = Number(amount) * (units[unit] ?? SECOND);
  if (delay !== undefined && !(delayMs > 0 && delayMs <= HOUR))
    throw mistake("--delay must be up to an hour, like 500ms, 12s or 2m");
  return { status, delayMs };
}

function tellers({ json, print }: Context): Pick<ReceiverOptions, "onMessage" | "onEnding"> {
  const printAll = (lines: readonly string[]) => lines.forEach(print);
  return json
    ? {
        onMessage: () => {},
        onEnding: (received, ending) => print(JSON.stringify(asJson(received, ending))),
      }
    : {
        onMessage: (received) => printAll([...told(received), ""]),
        onEnding: (received, ending) => printAll(toldAfterwards(received, ending)),
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
      `Port ${options.port} is ${code === "EACCES" ? "not permitted" : "taken"}: choose another with --port.`,
    );
  }
}

/**
 * Whatever is typed or comes by standard input, line by line, for as long as the receiver runs: the secret is only
 * known once the endpoint is registered, and that is verified at once. Never from the arguments, which every user of
 * the machine can read.
 */
async function learnSecrets(
  secrets: KnownSecrets,
  { say }: Context,
  signal: AbortSignal,
): Promise<void> {
  for await (const line of linesTyped(signal)) {
    if (line.trim() === "") continue;
    say(
      secrets.add(line.trim())
        ? "Signatures are checked from now on."
        : "That is no secret: it begins with whsec_ and is shown once, when an endpoint is made or its secret rotated.",
    );
  }
}

async function* linesTyped(signal: AbortSignal): AsyncGenerator<string> {
  if (process.stdin.isTTY) for (;;) yield await readUnseen("", signal);
  else yield* createInterface({ input: process.stdin, signal });
}

function unlessInterrupted(error: unknown): void {
  if (!(error instanceof CommandError && error.code === "interrupted")) throw error;
}
