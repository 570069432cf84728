import { parse } from "content-disposition";
import { fail, tooLarge } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { type FileType, fileTypeIn } from "../../store/files/media-types.ts";
import type { FileOperation } from "../definition/resource.ts";

interface UploadHeaders {
  "content-type"?: string | undefined;
  "content-disposition"?: string | undefined;
  "content-length"?: string | undefined;
}

interface StatedFile {
  /** Empty for images, which are re-encoded. */
  name: string;
  mediaType: FileType;
}

/** Reads the type and the name of a file from the headers. Throws 415, 400 or 413 before the body is read. */
export function parseUpload(
  headers: UploadHeaders,
  { bytesMax, image, types }: FileOperation,
): StatedFile {
  const mediaType = fileTypeIn(headers["content-type"], types);
  if (mediaType === undefined)
    throw fail("unsupported-media-type", `The body must be one of ${types.join(", ")}.`, {
      header: "Content-Type",
    });
  const name = image ? "" : fileNameIn(headers["content-disposition"]);
  if (Number(headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  return { name, mediaType };
}

/** Marks that change the direction of text. They can make a name end in another extension than it seems. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The name in a `Content-Disposition`, without directories. It is shown to people and never used as a path. */
export function fileNameIn(header: string | undefined): string {
  const { parameters, type } = parse(header ?? "");
  const name = (decoded(parameters).split(/[/\\]/).at(-1) ?? "")
    .replaceAll(DIRECTION, "")
    .normalize("NFC")
    .trim();
  const length = Array.from(name).length;
  if (type !== "attachment" || length === 0 || /^\.+$/.test(name))
    throw invalidName('Send `Content-Disposition: attachment; filename="guide.pdf"`.');
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw invalidName("The file name must not contain control characters.");
  if (length > limits.fileNameLengthMax)
    throw invalidName(`The file name must have at most ${limits.fileNameLengthMax} characters.`);
  return name;
}

const invalidName = (detail: string) =>
  fail("invalid-header", detail, { header: "Content-Disposition" });

/** Node reads headers as Latin-1. Many clients send UTF-8 in `filename`, which only `filename*` allows. */
function decoded({ filename = "", "filename*": extended }: Record<string, string>): string {
  if (extended !== undefined) return filename;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(filename, "latin1"));
  } catch {
    return filename;
  }
}
