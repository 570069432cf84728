import { create as contentDisposition } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, fail, notFound, problem } from "../../base/errors.ts";
import { type ByteRange, keyOf } from "../../store/files/file-store.ts";
import { isNotModified } from "../request/etag.ts";
import { findFile } from "../sql/files.ts";
import type { RouteDependencies } from "./steps.ts";

const DOWNLOAD_PATH = "/v1/files/:account/:id";

/** Registers `GET /v1/files/:account/:id`. The signature in the link is the only credential. */
export function registerDownloads(
  app: FastifyInstance,
  { db, files }: Pick<RouteDependencies, "db" | "files">,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const link = files.links.read(request.url);
    if (!link) throw linkInvalid("It is not as the service signed it.");
    const file = await findFile(db.ofAccount(link.accountId), link);
    if (file && file.secondsLeft < 0) throw linkInvalid("It has expired.");
    if (!file) throw notFound();

    const etag = `"${link.fileId}"`;
    reply.headers({
      "ETag": etag,
      "Accept-Ranges": "bytes",
      "Cache-Control": `private, max-age=${file.secondsLeft}`,
      // Pages of other sites show the image of a public course.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();

    const ifRange = request.headers["if-range"];
    const unchanged = ifRange === undefined || ifRange === etag;
    const range = unchanged ? rangeIn(request.headers.range, file.bytes) : undefined;
    if (range === "unsatisfiable")
      throw new ApiError(
        [
          problem("range-not-satisfiable", `The file has ${file.bytes} bytes.`, {
            header: "Range",
          }),
        ],
        { "Content-Range": `bytes */${file.bytes}` },
      );
    reply.headers({
      "Content-Type": file.mediaType,
      "Content-Length": range ? range.end - range.start + 1 : file.bytes,
      "Content-Disposition": contentDisposition(file.name === "" ? undefined : file.name),
      ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${file.bytes}` }),
    });
    reply.code(range ? 206 : 200);
    if (request.method === "HEAD") return reply.send();
    const content = await files.store.read(keyOf(link.accountId, link.fileId), range);
    if (!content) throw notFound();
    return reply.send(content);
  };
  app.route({
    // Fastify's own HEAD would read the whole file.
    method: ["GET", "HEAD"],
    url: DOWNLOAD_PATH,
    config: { counted: "file" },
    handler,
  });
}

const linkInvalid = (detail: string) => fail("link-invalid", detail);

/** One range of bytes. A header with several ranges or another syntax is ignored, as RFC 9110 allows. */
function rangeIn(
  header: string | undefined,
  bytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  return start >= bytes || start > end ? "unsatisfiable" : { start, end };
}
