import { errorsText } from "./error-codes.ts";
import { type Json, text } from "./json.ts";
import { errorResponse, headersOf, responseRef } from "./responses.ts";

/** The download of a file. Clients follow links and never write this path themselves. */
export const downloadPath: Json = {
  "/v1/files/{account}/{id}": {
    get: {
      tags: ["files"],
      operationId: "readFile",
      summary: "Download a file",
      description: `Follow the signed links of attributes such as \`photo-url\`, and change nothing in them. The signature is the credential. A read of the resource returns a new link.\n\n${errorsText(["link-invalid", "not-found", "range-not-satisfiable"])}`,
      security: [],
      parameters: [
        { name: "account", in: "path", required: true, schema: text },
        { name: "id", in: "path", required: true, schema: text },
        { name: "expires", in: "query", required: true, schema: text },
        { name: "signature", in: "query", required: true, schema: text },
        {
          name: "Range",
          in: "header",
          description: "One range of bytes.",
          schema: text,
          example: "bytes=0-1023",
        },
      ],
      responses: {
        200: { description: "The file.", ...headersOf("ETag"), content: bytes() },
        206: { description: "The range of the file.", ...headersOf("ETag"), content: bytes() },
        304: responseRef("NotModified"),
        ...errorResponse,
      },
    },
  },
};

export const filesTag = { name: "files", description: "Photos, images and attachments." };

function bytes(): Json {
  return { "*/*": { schema: { ...text, format: "binary" } } };
}
