import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { ApiError, fail, forbidden } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { newId } from "../../base/ids.ts";
import { keyOf } from "../../store/files/file-store.ts";
import { IMAGE_LIMITS, replaceImage } from "../../store/files/image.ts";
import { type IncomingFile, receive } from "../../store/files/incoming.ts";
import { isOfType } from "../../store/files/media-types.ts";
import type { FileOperation, NewFile, ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import { allowedReach, resolveId } from "../request/reach.ts";
import { parseShape } from "../request/shape.ts";
import { parseUpload } from "../request/upload.ts";
import { mayReach } from "../sql/reach.ts";
import { assertReadable } from "../sql/read.ts";
import { answerCreated, answerWritten } from "./documents.ts";
import { namingKept } from "./merged.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { unshaped, write } from "./write-steps.ts";

/** Registers the routes of files. They have a parser of their own, because the body is a stream of bytes. */
export function registerUploads(app: FastifyInstance, dependencies: RouteDependencies): void {
  const { resources } = dependencies.catalogue;
  void app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser("*", (_request, body, done) => done(null, body));
    for (const resource of resources.values())
      for (const [name, operation] of Object.entries(resource.files ?? {})) {
        const path = `/v1/${resource.type}/:id/${name}`;
        const one = (handler: Handler) =>
          resource.type === "people" ? namingKept(resource, dependencies, handler) : handler;
        const options = {
          bodyLimit: operation.bytesMax,
          config: { bodyMsMax: limits.uploadMsMax },
        };
        const upload = one(uploadRoute(resource, operation, dependencies));
        if (operation.creates === undefined) uploads.put(path, options, upload);
        else uploads.post(path, options, upload);
        const { remove } = operation;
        if (remove)
          app.delete(path, one(removeRoute(resource, { ...operation, remove }, dependencies)));
      }
  });
}

/** `PUT /v1/people/:id/photo` */
function uploadRoute(
  resource: Resource,
  operation: FileOperation,
  dependencies: RouteDependencies,
): Handler {
  const { catalogue, files } = dependencies;
  const { creates } = operation;
  const answered = creates === undefined ? resource : definitionOf(catalogue, creates);
  const options = {
    key: "ignored",
    idsAreLiteral: true,
    parseQuery: (...[known, , query]: Parameters<typeof parseShape>) =>
      parseShape(known, answered, query),
  } as const;
  return async (request, reply) => {
    let key: string | undefined;
    const handler = write(resource, dependencies, options, {
      plan: async (context, { id: named }) => {
        const id = await mayReceive(context, resource, operation, named);
        const file = { id: newId(), ...parseUpload(request.headers, operation) };
        key = keyOf(context.actor.accountId, file.id);
        const path = join(files.store.incoming, file.id);
        try {
          const content = await receive(request.body, path, operation.bytesMax);
          const bytes = await checkedBytes(content, file, operation, context.actor.personId);
          await files.store.keep(path, key);
          return { id, file: { ...file, bytes } };
        } finally {
          await rm(path, { force: true });
        }
      },
      act: async (context, { file, id }) => {
        // An upload takes minutes, and the caller's scope may have changed.
        await mayReceive(context, resource, operation, id);
        return operation.run(context, id, file);
      },
      respond: (context, written, shape) =>
        creates === undefined
          ? answerWritten(context, resource, written, shape, 200)
          : answerCreated(context, answered, written, shape),
    });
    try {
      return await handler(request, reply);
    } catch (error) {
      // After another error the transaction may have committed. The daily sweep removes what it left.
      if (key !== undefined && error instanceof ApiError) await files.store.remove(key);
      throw error;
    }
  };
}

/** `DELETE /v1/people/:id/photo` */
const removeRoute = (
  resource: Resource,
  operation: FileOperation & Required<Pick<FileOperation, "remove">>,
  dependencies: RouteDependencies,
): Handler =>
  write(resource, dependencies, unshaped, {
    plan: (context, { id }) => mayReceive(context, resource, operation, id),
    act: (context, id) => operation.remove(context, id),
    respond: async () => ({ status: 204, headers: {}, body: "" }),
  });

/** The id in the path, or 404 or 403 unless the caller may change the files of that resource. */
async function mayReceive(
  context: ReadContext,
  resource: Resource,
  operation: FileOperation,
  named: string,
): Promise<string> {
  const id = resolveId(resource, context.actor, named);
  allowedReach(context.actor, resource, operation, "change");
  await assertReadable(context, resource, id);
  if (!(await mayReach(context, operation, resource, id)))
    throw forbidden("This person may read this resource, but not change it.");
  return id;
}

/** The size of the file as it is stored, or 422 if its bytes are not what the client stated. */
async function checkedBytes(
  content: IncomingFile,
  { mediaType }: Pick<NewFile, "mediaType">,
  { image }: FileOperation,
  personId: string,
): Promise<number> {
  const mismatch = (detail: string) => fail("file-type-mismatch", detail, { pointer: "" });
  if (!(await isOfType(content, mediaType))) throw mismatch(`These bytes are not ${mediaType}.`);
  if (!image) return content.bytes;
  const bytes = await replaceImage(content.path, image, personId);
  if (bytes === undefined)
    throw mismatch(`The image cannot be decoded, or it is too large: ${IMAGE_LIMITS}.`);
  return bytes;
}
