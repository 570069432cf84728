import { computed, integer, text, timestamps } from "../../../jsonapi/definition/attributes.ts";
import { briefLink, ofFile } from "../../../jsonapi/definition/files.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";

export const file = (column: string) => ofFile("material_attachments", column);

export const attachmentFields = {
  attributes: {
    ...timestamps,
    "name": computed(text({ maxLength: 255 }), file("name")),
    "media-type": computed(text({ maxLength: 100 }), file("media_type")),
    "bytes": computed(integer({ minimum: 1 }), file("bytes")),
    ...briefLink("material_attachments", "file_id"),
  },
  relationships: {
    ...authorship,
    material: linkOnly(toOne("course-materials", { column: "material_id", required: true })),
  },
};

export type AttachmentFields = typeof attachmentFields;
