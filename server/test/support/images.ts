import { deflateSync, crc32 } from "node:zlib";
import sharp from "sharp";

/** An image of noise, so that its size in bytes grows with its size in pixels. */
export const noise = (width: number, height: number): ReturnType<typeof sharp> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "white",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  });

/** A photo of a telephone: on its side, with the place where it was taken. */
export const telephonePhoto = (): Promise<Buffer> =>
  noise(640, 480)
    .withExif({ IFD0: { Make: "Secret Camera" }, IFD3: { GPSLatitude: "38/1 42/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** A small PNG file of this many pixels, all of one color: one bit of gray for each, or RGBA with 16 bits. */
export function pngBomb(width: number, height: number, isDeep = false): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(isDeep ? [16, 6, 0, 0, 0] : [1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil((width * (isDeep ? 64 : 1)) / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
