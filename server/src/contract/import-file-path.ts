import { limits } from "../base/limits.ts";
import { errorsText } from "./error-codes.ts";
import { type Json, ref, text } from "./json.ts";
import { errorResponse, response } from "./responses.ts";

const mebibytes = limits.importFileBytesMax / 1_048_576;

/** The upload of a CSV file. Its route is written by hand, because its body is not JSON. */
export const importFilePath: Json = {
  "/v1/import-jobs/{id}/file": {
    put: {
      tags: ["import-jobs"],
      operationId: "uploadImportFile",
      summary: "Upload the file of an import job",
      description: `Begins the dry run, which writes nothing. A file has at most ${mebibytes} MiB, ${limits.importRowsMax.toLocaleString("en")} rows and ${limits.importColumnsMax} columns, and its first row contains the headers. Needs the permission \`import-jobs:write\`.\n\n${errorsText(["not-found", "invalid-transition", "body-too-large", "unsupported-media-type"])}`,
      parameters: [ref("parameters", "ResourceId")],
      requestBody: {
        required: true,
        content: {
          "text/csv": { schema: text, example: "Nome,E-mail\nAna Souza,ana@grace.example\n" },
        },
      },
      responses: {
        202: response("The job, whose dry run begins.", "ImportJobDocument", "ETag"),
        ...errorResponse,
      },
    },
  },
};
