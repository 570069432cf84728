import { limits } from "../base/limits.ts";
import { errorsText } from "./error-codes.ts";
import { type Json, ref, text } from "./json.ts";
import { errorResponse, response } from "./responses.ts";

const mebibytes = limits.importFileBytesMax / 1_048_576;

/** The CSV files of imports. Their routes are written by hand, because the bodies are not JSON. */
export const importFilePaths: Json = {
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
  "/v1/import-jobs/{id}/error-file": {
    get: {
      tags: ["import-jobs"],
      operationId: "downloadImportErrorFile",
      summary: "Download the rows of an import that have errors",
      description: `The rows with errors as the file had them, in its encoding and with its delimiter, and a further column \`Errors\` with the reasons. Correct them and upload the file again. Needs the permission \`import-jobs:write\`.\n\n${errorsText(["not-found", "conflict"])}`,
      parameters: [ref("parameters", "ResourceId")],
      responses: {
        200: {
          description: "The rows as CSV.",
          content: {
            "text/csv": { schema: text, example: "Nome,Errors\n,full-name is required.\n" },
          },
        },
        ...errorResponse,
      },
    },
  },
};
