import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { can } from "../../../access/policy.ts";
import { fail, notFound, tooLarge } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { signWrites } from "../../../events/author.ts";
import type { ReadContext, WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { RawQuery } from "../../../jsonapi/request/query-reader.ts";
import { allowedReach, resolveId } from "../../../jsonapi/request/reach.ts";
import { parseNoQuery, wholeShape } from "../../../jsonapi/request/shape.ts";
import { assertReadable } from "../../../jsonapi/sql/read.ts";
import { answerWritten } from "../../../jsonapi/routes/documents.ts";
import { contextOf, idIn, type RouteDependencies, send } from "../../../jsonapi/routes/steps.ts";
import { inTransaction } from "../../../store/db.ts";
import { beginDryRun, enqueueStep } from "../jobs/actions.ts";
import { importJobs } from "../jobs/definition.ts";
import { lockJob } from "../jobs/jobs.ts";

/** Registers `PUT /v1/import-jobs/:id/file`. It has a parser of its own, because the body is a stream of text. */
export function registerImportFiles(app: FastifyInstance, dependencies: RouteDependencies): void {
  void app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser("*", (_request, body, done) => done(null, body));
    const options = {
      bodyLimit: limits.importFileBytesMax,
      config: { bodyMsMax: limits.uploadMsMax },
    };
    files.put(UPLOAD_PATH, options, async (request, reply) => {
      const context = await contextOf(dependencies, importJobs, request);
      parseNoQuery(context.catalogue, importJobs, request.query as RawQuery);
      const id = resolveId(importJobs, context.actor, idIn(request), "read");
      allowedReach(context.actor, importJobs, can("import-jobs:write"), "change");
      await assertReadable(context, importJobs, id);
      requireCsv(request.headers["content-type"]);
      const content = await compressed(request.body);
      const answer = await inTransaction(context.db, context.actor.accountId, async (db) => {
        const inside = { ...context, db };
        await replaceFile(inside, id, content);
        const written = await answerWritten(inside, importJobs, { id }, wholeShape, 202);
        // The upload may have taken minutes.
        await dependencies.confirmation(request, context.actor).beforeCommit(db);
        const { id: requestId, ip } = request;
        signWrites(db, context.actor, { type: importJobs.type, request: requestId, ip });
        return written;
      });
      reply.code(answer.status).headers(answer.headers);
      return send(reply, answer.body);
    });
  });
}

export const UPLOAD_PATH = "/v1/import-jobs/:id/file";

function requireCsv(header: string | undefined): void {
  const [type = ""] = (header ?? "").split(";");
  if (type.trim().toLowerCase() !== "text/csv")
    throw fail("unsupported-media-type", "The body must be text/csv.", { header: "Content-Type" });
}

/** Reads and compresses the body. No transaction is open meanwhile, and an upload that stops in the middle stores nothing. */
async function compressed(body: unknown): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  await pipeline(limited(body), createGzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

async function* limited(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  // The request is not destroyed, because the client still has to read the 413.
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > limits.importFileBytesMax) throw tooLarge(limits.importFileBytesMax);
    yield piece;
  }
}

/** Stores the file and begins the dry run. */
async function replaceFile(
  context: ReadContext & Pick<WriteContext, "db">,
  id: string,
  content: Buffer,
): Promise<void> {
  const job = await lockJob(context, id);
  if (!job) throw notFound();
  await beginDryRun(context, job, content);
  await enqueueStep(context, job);
}
