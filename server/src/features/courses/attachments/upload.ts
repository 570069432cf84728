import { can } from "../../../access/policy.ts";
import { limits } from "../../../base/limits.ts";
import type { FileOperation } from "../../../jsonapi/definition/resource.ts";
import { fileTypes } from "../../../store/files/media-types.ts";
import { addAttachment } from "./write-attachment.ts";

/** `POST /v1/course-materials/:id/attachments` */
export const attachmentUpload: FileOperation = {
  description: `A material has at most ${limits.attachmentsPerMaterialMax} attachments.`,
  allow: can("course-materials:write"),
  types: fileTypes,
  bytesMax: limits.attachmentBytesMax,
  creates: "material-attachments",
  refuses: ["limit-reached"],
  run: addAttachment,
};
