import { DAY, HOUR, MINUTE } from "../../src/base/clock.ts";
import type { FailureReason } from "../../src/webhooks/http/failure.ts";
import type { Die } from "./die.ts";

/** The result of one request as the sender sees it. */
export type Seen =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter?: string;
      readonly bodyBytes?: Buffer;
    }
  | { readonly kind: "failed"; readonly reason: FailureReason };

interface Asked {
  readonly die: Die;
  readonly now: number;
  /** The expected challenge of a verification. */
  readonly challenge: string | undefined;
}

const answered = (status: number): Seen => ({ kind: "answered", status });
const failed = (reason: FailureReason): Seen => ({ kind: "failed", reason });
const saying = (challenge: string | undefined): Buffer =>
  Buffer.from(JSON.stringify({ meta: { challenge } }));

type Mood = "well" | "down" | "limping" | "busy" | "broken" | "moved" | "us";

const moods: Readonly<Record<Mood, (asked: Asked) => Seen>> = {
  well: ({ challenge, die }) => ({
    kind: "answered",
    status: die.pick([200, 202, 204]),
    bodyBytes: saying(challenge),
  }),
  down: ({ die }) =>
    failed(
      die.pick([
        "timeout",
        "connection-refused",
        "connection-reset",
        "dns-failure",
        "tls-failure",
        "protocol-error",
      ]),
    ),
  limping: (asked) =>
    asked.die.falls(1 / 3) ? moods.well(asked) : answered(asked.die.pick([500, 502])),
  busy: ({ die, now }) => ({
    kind: "answered",
    status: die.pick([429, 503]),
    retryAfter: retryAfter(die, now),
  }),
  broken: ({ challenge, die }) =>
    die.pick([
      answered(die.pick([301, 400, 404, 410])),
      failed(die.pick(["response-headers-too-large", "response-body-too-large"])),
      answered(500),
      answered(599),
      challenge === undefined
        ? answered(404)
        : {
            kind: "answered",
            status: 200,
            bodyBytes: saying(die.falls(0.5) ? "guessed" : undefined),
          },
    ]),
  /** The name now has a private address. */
  moved: () => failed("dns-private-address"),
  /** A failure of the service, not of the receiver. */
  us: ({ die }) =>
    failed(die.pick(["system-resolver", "system-network", "system-descriptors", "system-fault"])),
};

const all = Object.keys(moods) as Mood[];

const retryAfter = (die: Die, now: number): string =>
  die.pick([
    "0",
    "1.5",
    String(die.below(200_000)),
    new Date(now + (die.throw() - 0.2) * 2 * DAY).toUTCString(),
    "99999999999999999999",
    "soon",
  ]);

/** From the length of a restart to the length of a holiday. */
const lengths = [MINUTE, HOUR, DAY, 3 * DAY, 10 * DAY];

/** A receiver that behaves one way for a while and then another way. */
export class Receiver {
  readonly #die: Die;
  #mood: Mood = "well";
  #until: number;

  /** The receiver works until then. */
  constructor(die: Die, until: number) {
    this.#die = die;
    this.#until = until;
  }

  answer(now: number, challenge?: string): Seen {
    const die = this.#die;
    if (now >= this.#until) {
      this.#mood = die.pick(all);
      this.#until = now + die.throw() * die.pick(lengths);
    }
    return moods[this.#mood]({ die, now, challenge });
  }

  /** The receiver works from now on. */
  recover(): void {
    this.#mood = "well";
    this.#until = Infinity;
  }
}
