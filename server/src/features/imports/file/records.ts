import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type CsvError, parse } from "csv-parse";
import { limits } from "../../../base/limits.ts";

/** A file that cannot be read at all. The message tells the person who uploaded it what to change. */
export class UnreadableFile extends Error {}

export const encodings = ["utf-8", "windows-1252"] as const;

export type Encoding = (typeof encodings)[number];

type Chunks = () => AsyncIterable<Buffer>;

/** The encoding of a compressed file. A file is Windows-1252 only if it is not valid UTF-8. */
export async function detectEncoding(chunks: Chunks): Promise<Encoding> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text = pipeline(Readable.from(chunks()), createGunzip(), ignore);
  try {
    for await (const chunk of text) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return "utf-8";
  } catch (error) {
    if (isEncodingError(error)) return "windows-1252";
    throw error;
  }
}

/**
 * Yields the records of a compressed file one by one, the header first. A record with too many cells has one more than
 * the maximum.
 */
export async function* readRecords(
  chunks: Chunks,
  { delimiter, encoding }: { delimiter: string; encoding: Encoding },
): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    // The rest of a row after the last column is one more cell. The parser would need seconds for millions of cells.
    ignore_last_delimiters: limits.importColumnsMax + 1,
    max_record_size: limits.importRecordLengthMax,
  });
  pipeline(Readable.from(chunks()), createGunzip(), decoding(encoding), parser, ignore);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    throw unreadable(error, encoding);
  }
}

/** The reader of the pipeline sees the error. */
const ignore = () => undefined;

const UTF_16 = /^(\u00FF\u00FE|\u00FE\u00FF)/;

const decoding = (encoding: Encoding) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<string> {
    const decoder = new TextDecoder(encoding, { fatal: true });
    let isFirst = true;
    for await (const chunk of source) {
      if (isFirst && UTF_16.test(chunk.toString("latin1", 0, 2)))
        throw new UnreadableFile("The file is UTF-16. Save it as CSV in UTF-8.");
      isFirst = false;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  };

const isEncodingError = (error: unknown): boolean =>
  (error as { code?: string }).code === "ERR_ENCODING_INVALID_ENCODED_DATA";

function unreadable(error: unknown, encoding: Encoding): unknown {
  if (isEncodingError(error))
    return new UnreadableFile(
      `The file is not valid ${encoding === "utf-8" ? "UTF-8" : "Windows-1252"}. Set \`encoding\` to the encoding of the file, or save the file as UTF-8.`,
    );
  const { code, column, lines } = error as Partial<CsvError> & { column?: number; lines?: number };
  if (code === "CSV_MAX_RECORD_SIZE" && column === limits.importColumnsMax)
    return new UnreadableFile(
      `A row has more than ${limits.importColumnsMax} cells, at or before line ${lines}. Check \`delimiter\` and the quotation marks.`,
    );
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
    case "CSV_MAX_RECORD_SIZE":
      return new UnreadableFile(
        `A quotation mark is opened and never closed, or a row is longer than ${limits.importRecordLengthMax.toLocaleString("en")} characters, at or before line ${lines}.`,
      );
    default:
      return error;
  }
}
