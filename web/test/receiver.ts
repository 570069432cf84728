import { once } from "node:events";
import { createServer } from "node:https";
import { expect, test as base } from "./bed.ts";
import { unique } from "./church.ts";
import { theService } from "./service.ts";

export { expect };

type Message = { id: string; deliveryId: string; signature: string; body: string };
type Answer = { status: number; body?: string };

/** A receiver of webhooks on this machine, as a program of a church would be. It repeats the challenges of verifications. */
class Receiver {
  readonly url: string;
  readonly messages: Message[] = [];
  /** What it says to every message, in place of accepting it. */
  answer: Answer | undefined;

  constructor(port: number) {
    this.url = `https://127.0.0.1:${port}/${unique()}`;
  }

  take(message: Message): Answer {
    this.messages.push(message);
    if (this.answer !== undefined) return this.answer;
    const { challenge } = (
      JSON.parse(message.body) as { data: { attributes: { challenge?: string } } }
    ).data.attributes;
    return challenge === undefined
      ? { status: 200, body: "thank you" }
      : { status: 200, body: JSON.stringify({ meta: { challenge } }) };
  }

  /** Waits for a message with this text, and returns it. */
  async received(text: string): Promise<Message> {
    const found = () => this.messages.find(({ body }) => body.includes(text));
    await expect.poll(() => found() !== undefined, { message: text }).toBe(true);
    return found() as Message;
  }
}

export const test = base.extend<{ receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
  receiver: async ({}, use) => {
    let receiver: Receiver | undefined;
    const server = createServer(theService().certificate, (request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        const header = (name: string) => String(request.headers[name] ?? "");
        const { status, body: said = "" } = receiver?.take({
          id: header("webhook-id"),
          deliveryId: header("x-svc-delivery-id"),
          signature: header("webhook-signature"),
          body,
        }) ?? { status: 503 };
        response.writeHead(status, { "Content-Type": "text/plain" }).end(said);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("There is no port.");
    receiver = new Receiver(address.port);
    await use(receiver);
    server.closeAllConnections();
    server.close();
  },
});
