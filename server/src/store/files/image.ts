import { rename, stat } from "node:fs/promises";
import type { Metadata } from "sharp";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Larger images need too much memory while they are decoded. */
export const IMAGE_LIMITS = "at most 50 million pixels, and about 25 million if it is progressive";
const PIXELS_MAX = 50_000_000;
/** Progressive images are decoded as a whole, others row by row. */
const PROGRESSIVE_BYTES_MAX = 150_000_000;

let last: Promise<unknown> = Promise.resolve();

/** One image at a time, because a decoded one can take 150 MB. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

/**
 * Replaces an image by a JPEG of this size: turned upright, cut at the longer sides, on white, without metadata such as the place
 * where it was taken. Returns its size in bytes, or undefined if it is not an image that can be decoded.
 */
export const replaceImage = (path: string, size: ImageSize): Promise<number | undefined> =>
  inTurn(async () => {
    const { default: sharp } = await import("sharp");
    // Decoded images of earlier uploads would stay in memory.
    sharp.cache(false);
    sharp.concurrency(1);
    const made = `${path}.jpeg`;
    try {
      const image = sharp(path, { failOn: "error", limitInputPixels: PIXELS_MAX });
      if (decodedBytes(await image.metadata()) > PROGRESSIVE_BYTES_MAX) return undefined;
      await image
        .autoOrient()
        .resize({ ...size, fit: "cover" })
        .flatten({ background: "white" })
        .jpeg({ quality: 85 })
        .toFile(made);
    } catch {
      return undefined;
    }
    await rename(made, path);
    const { size: bytes } = await stat(path);
    return bytes;
  });

/** The memory of a progressive image while it is decoded. A JPEG has two bytes for each value then. */
function decodedBytes({ channels, depth, format, height, isProgressive, width }: Metadata): number {
  if (!isProgressive) return 0;
  return width * height * channels * (format === "jpeg" || depth === "ushort" ? 2 : 1);
}
