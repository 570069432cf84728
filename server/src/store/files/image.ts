import { rename, stat } from "node:fs/promises";
import type { Metadata } from "sharp";
import { limits } from "../../base/limits.ts";
import { turns } from "../../base/turns.ts";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export const IMAGE_LIMITS =
  "decoded, at most 150 MB, which are 50 million pixels, or half as many if it is progressive or has 16 bits";

/** Decoding takes the processor for half a second, and some formats 150 MB. */
const inTurn = turns({
  atOnce: 1,
  queueMax: limits.imageQueueMax,
  busy: "Too many images wait. Each person may have one waiting image.",
});

/**
 * Replaces an image by a JPEG of this size: turned upright, cut at the longer sides, on white, without metadata such as the place
 * where it was taken. Returns its size in bytes, or undefined if it is not an image that can be decoded. Throws 503 if too many
 * images wait, or another one of the same person.
 */
export async function replaceImage(
  path: string,
  size: ImageSize,
  personId: string,
): Promise<number | undefined> {
  const { default: sharp } = await import("sharp");
  // Decoded images of earlier uploads would stay in memory.
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(path, { failOn: "error" });
  // The header alone says how much there is to decode, so an image that is too large never waits for a turn.
  const metadata = await image.metadata().catch(() => undefined);
  if (!metadata || decodedBytes(metadata) > limits.imageDecodedBytesMax) return undefined;
  return inTurn(async () => {
    const made = `${path}.jpeg`;
    try {
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
  }, personId);
}

/** A progressive JPEG is decoded as a whole, with two bytes for each value. */
function decodedBytes({ channels, depth, format, height, isProgressive, width }: Metadata): number {
  const isWide = depth === "ushort" || (format === "jpeg" && isProgressive);
  return width * height * channels * (isWide ? 2 : 1);
}
