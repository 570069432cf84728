import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail server on the loopback interface that keeps what it receives. */
export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** The mails that it accepted. */
  readonly received: readonly Email[];
  /** The number of recipients that clients named, accepted or not. */
  readonly tries: () => number;
  /** Rejects the next mails to an address with these replies, such as `450 Try later`. */
  reject(address: string, ...replies: readonly string[]): void;
  /** Resolves with the next mail that it accepts. */
  next(): Promise<Email>;
  stop(): Promise<void>;
}

export async function startMailServer(
  options: { auth?: { user: string; pass: string }; keep?: (mail: Email) => Promise<void> } = {},
): Promise<MailServer> {
  const received: Email[] = [];
  const replies = new Map<string, string[]>();
  let tries = 0;
  let arrived = Promise.withResolvers<Email>();
  const server = new SMTPServer({
    authOptional: !options.auth,
    // Tests of TLS would need a certificate that the client trusts.
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === options.auth?.user && password === options.auth?.pass;
      done(isRight ? null : new Error("Wrong user or password"), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      tries += 1;
      const reply = replies.get(address)?.shift();
      if (reply === undefined) return done();
      const [, code, text] = /^(\d{3}) (.*)$/.exec(reply) ?? [];
      done(Object.assign(new Error(text), { responseCode: Number(code) }));
    },
    onData(stream, _session, done) {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        await options.keep?.(mail);
        received.push(mail);
        done();
        arrived.resolve(mail);
        arrived = Promise.withResolvers();
      })();
    },
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    tries: () => tries,
    reject: (address, ...all) => void replies.set(address, [...all]),
    next: () => arrived.promise,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
