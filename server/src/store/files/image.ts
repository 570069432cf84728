import { rename, stat } from "node:fs/promises";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A larger image needs too much memory while it is decoded. */
export const IMAGE_PIXELS_MAX = 50_000_000;

let last: Promise<unknown> = Promise.resolve();

/** One image at a time, because a decoded one can take 200 MB. */
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
      await sharp(path, { failOn: "error", limitInputPixels: IMAGE_PIXELS_MAX })
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
