import { fileTypeFromFile } from "file-type";
import type { IncomingFile } from "./incoming.ts";

const office = "application/vnd.openxmlformats-officedocument";
const open = "application/vnd.oasis.opendocument";

const archives = [
  `${office}.wordprocessingml.document`,
  `${office}.spreadsheetml.sheet`,
  `${office}.presentationml.presentation`,
  `${open}.text`,
  `${open}.spreadsheet`,
  `${open}.presentation`,
  "application/epub+zip",
] as const;

export const imageTypes = ["image/jpeg", "image/png", "image/webp"] as const;

const plain = ["text/plain", "text/csv"] as const;

/** The types of files that the service stores. Browsers run none of them. */
export const fileTypes = [
  "application/pdf",
  ...imageTypes,
  "image/gif",
  "audio/mpeg",
  "audio/mp4",
  "video/mp4",
  ...plain,
  ...archives,
  "application/zip",
] as const;

export type FileType = (typeof fileTypes)[number];

/** Other names that clients send. */
const synonyms: Readonly<Record<string, FileType>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "application/x-zip-compressed": "application/zip",
};

/** The type that a `Content-Type` names, without parameters, if it is one of these. */
export function fileTypeIn(
  header: string | undefined,
  accepted: readonly FileType[],
): FileType | undefined {
  const [text = ""] = (header ?? "").split(";");
  const name = text.trim().toLowerCase();
  const type = synonyms[name] ?? name;
  return accepted.find((one) => one === type);
}

/** The contents that a type can have, by the names that `file-type` gives them. The default is the type itself. */
const contents: Partial<Record<FileType, readonly string[]>> = {
  "image/png": ["image/png", "image/apng"],
  "audio/mp4": ["audio/x-m4a", "audio/mp4", "video/mp4"],
  "video/mp4": ["video/mp4", "video/x-m4v"],
  "application/zip": ["application/zip", ...archives],
};

/** Whether the bytes of a file are of the type that the client stated. Text is recognized by what it is not. */
export async function isOfType(
  { bytes, hasNul, path }: IncomingFile,
  type: FileType,
): Promise<boolean> {
  if (bytes === 0) return false;
  const found = await fileTypeFromFile(path);
  if (plain.some((one) => one === type)) return !found && !hasNul;
  return found !== undefined && (contents[type] ?? [type]).includes(found.mime);
}
