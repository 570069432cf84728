import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** A name server on loopback with the answers of a test. It records the queries. */

export type NameAnswer =
  /** The server picks the addresses of the family in question. An empty list means that the name has none. */
  | readonly string[]
  | "NXDOMAIN"
  | "SERVFAIL"
  | "REFUSED"
  /** No reply. */
  | "silence"
  /** A reply that is no DNS message. */
  | "garbage";

export type Family = "A" | "AAAA" | "NS";

export interface NameServer {
  /** For `WEBHOOK_DNS_SERVERS`. */
  readonly address: string;
  readonly asked: readonly { name: string; family: Family; over: "udp" | "tcp" }[];
  close(): Promise<void>;
}

/** Longer UDP answers are truncated, so that the resolver repeats the query over TCP. */
const UDP_BYTES_MAX = 512;

const families: Readonly<Record<number, Family>> = { 1: "A", 28: "AAAA", 2: "NS" };
const responseCodes: Readonly<Record<string, number>> = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

export async function startNameServer(
  say: (name: string, family: Family) => NameAnswer,
  delayMs = 0,
): Promise<NameServer> {
  const asked: { name: string; family: Family; over: "udp" | "tcp" }[] = [];

  function answer(query: Buffer, over: "udp" | "tcp"): Buffer | undefined {
    const { name, type, end } = question(query);
    const family = families[type] ?? "NS";
    asked.push({ name, family, over });
    const said = say(name, family);
    if (said === "silence") return undefined;
    if (said === "garbage") return Buffer.from("?");
    const records =
      typeof said === "string"
        ? []
        : said
            .filter((address) => (family === "AAAA") === address.includes(":"))
            .map((address) => record(type, address));
    const code = typeof said === "string" ? (responseCodes[said] ?? 0) : 0;
    const head = (count: number, cut: boolean) => {
      const bytes = Buffer.alloc(12);
      query.copy(bytes, 0, 0, 2);
      bytes.writeUInt16BE(0x8180 | (cut ? 0x0200 : 0) | code, 2);
      bytes.writeUInt16BE(1, 4);
      bytes.writeUInt16BE(count, 6);
      return Buffer.concat([bytes, query.subarray(12, end)]);
    };
    const whole = Buffer.concat([head(records.length, false), ...records]);
    return over === "udp" && whole.length > UDP_BYTES_MAX ? head(0, true) : whole;
  }

  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    let heard = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
        const length = heard.readUInt16BE(0);
        const reply = answer(heard.subarray(2, 2 + length), "tcp");
        heard = heard.subarray(2 + length);
        if (!reply) continue;
        const size = Buffer.alloc(2);
        size.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([size, reply]));
      }
    });
  });
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const at = tcp.address();
  const port = typeof at === "object" && at ? at.port : 0;

  const udp = createSocket("udp4");
  const delayed = new Set<NodeJS.Timeout>();
  udp.on("message", (query, from) => {
    const reply = answer(query, "udp");
    if (!reply) return;
    if (delayMs === 0) udp.send(reply, from.port, from.address);
    else delayed.add(setTimeout(() => udp.send(reply, from.port, from.address), delayMs));
  });
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");

  return {
    address: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const timer of delayed) clearTimeout(timer);
      udp.close();
      tcp.close();
      await Promise.all([once(udp, "close"), once(tcp, "close")]);
    },
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  // Some resolvers mix upper and lower case to recognize the answer.
  return {
    name: labels.join(".").toLowerCase(),
    type: query.readUInt16BE(at + 1),
    end: at + 5,
  };
}

function record(type: number, address: string): Buffer {
  const data = type === 28 ? ipv6(address) : Buffer.from(address.split(".").map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // a pointer to the name in the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(300, 6); // long enough to show any cache
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6(address: string): Buffer {
  const [before = "", after = ""] = address.split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(before), groups(after)];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
