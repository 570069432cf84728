import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Db } from "../../src/store/db.ts";
import { makeRow, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { asServed, PUBLIC_URL, ServerChild } from "./child.ts";
import { median } from "./routes.ts";

const ORIGIN = "http://localhost";
const MEBIBYTE = 2 ** 20;
const SIZE = 50 * MEBIBYTE;
const REPEATS = 5;
const AT_ONCE = 20;
/** A church with a slow disk is still served. */
const MIB_PER_SECOND = 0.5;
const MEMORY_MIB = 250;

/** Uploads and downloads of attachments of 50 MiB, beside the same bytes written to the same disk. */
export async function benchFiles(
  { databaseUrl, db, say }: { databaseUrl: string; db: Db; say: (line: string) => void },
  account: TestAccount,
): Promise<Judged[]> {
  say("Attachments of 50 MiB …");
  const content = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(SIZE - 9)]);
  const directory = await mkdtemp(join(tmpdir(), "vestry-bench-files-"));
  const service = new ServerChild("./service.ts", ...asServed());
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "api", filesDir: directory });
    const files = new Files(service, account);
    const bare: number[] = [];
    const up: number[] = [];
    const down: number[] = [];
    const material = await makeMaterial(db, account);
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      bare.push(await timed(() => write(content, join(directory, `floor-${repeat}`))));
      let url = "";
      up.push(await timed(async () => (url = await files.upload(material, content))));
      down.push(await timed(() => files.download(url)));
    }
    const others = await makeMaterial(db, account);
    await Promise.all(Array.from({ length: AT_ONCE }, () => files.upload(others, content)));
    const { maxRssBytes } = await service.usage();
    const floor = speed(bare);
    return [
      {
        what: `upload of 50 MiB: MiB/s (bare stream to disk: ${Math.round(floor)})`,
        value: speed(up),
        budget: { atLeast: MIB_PER_SECOND },
      },
      {
        what: "download of 50 MiB: MiB/s",
        value: speed(down),
        budget: { atLeast: MIB_PER_SECOND },
      },
      {
        what: "memory of the service after 20 uploads of 50 MiB at once, MiB",
        value: maxRssBytes / MEBIBYTE,
        budget: { below: MEMORY_MIB },
      },
    ];
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeMaterial(db: Db, account: TestAccount): Promise<string> {
  const course = await makeRow(db, "courses", account.id, { name: "Foundations" });
  return makeRow(db, "course_materials", account.id, {
    course_id: course,
    title: "Videos",
    material_type: "file",
    audience: "teacher",
  });
}

class Files {
  readonly #service: ServerChild;
  readonly #headers: Record<string, string>;

  constructor(service: ServerChild, { administrator }: TestAccount) {
    this.#service = service;
    this.#headers = {
      "Origin": ORIGIN,
      "Authorization": `Bearer ${administrator.token}`,
      "Content-Type": "application/pdf",
      "Content-Disposition": 'attachment; filename="guide.pdf"',
    };
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#service.port}`;
  }

  /** Returns the link to the file. */
  async upload(material: string, body: Buffer): Promise<string> {
    const url = `${this.#url}/v1/course-materials/${material}/attachments`;
    const answer = await fetch(url, { method: "POST", headers: this.#headers, body });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(text);
    const { data } = JSON.parse(text) as { data: { attributes: { url: string } } };
    return data.attributes.url;
  }

  async download(link: string): Promise<void> {
    const answer = await fetch(link.replace(PUBLIC_URL, this.#url));
    let bytes = 0;
    for await (const piece of answer.body ?? []) bytes += piece.length;
    if (bytes !== SIZE) throw new Error(`${answer.status}: ${bytes} bytes`);
  }
}

/** The floor: the bytes in pieces of 64 KiB, as they arrive from a connection, until they are on the disk. */
async function write(content: Buffer, path: string): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(content.length / 65_536) }, (_, place) =>
    content.subarray(place * 65_536, (place + 1) * 65_536),
  );
  await pipeline(Readable.from(pieces), createWriteStream(path, { flush: true }));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** MiB per second. */
const speed = (milliseconds: readonly number[]): number =>
  SIZE / MEBIBYTE / (median(milliseconds) / 1_000);
