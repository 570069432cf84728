import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { type FileStore, stored } from "./file-store.ts";

export interface S3Settings {
  /** Absent: the address of AWS in this region. */
  readonly endpoint: string | undefined;
  readonly bucket: string;
  readonly region: string;
  /** Absent: the SDK looks for them, for example in the role of the machine. */
  readonly credentials: S3Credentials | undefined;
  /** The start of every key, with a slash at its end, or empty. */
  readonly prefix: string;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  /** A function, so that no log shows the secret. */
  secretAccessKey(): string;
}

const say = (): void => undefined;
const silent = { trace: say, debug: say, info: say, warn: say, error: say };

const CONNECT_MS_MAX = 5_000;
/** A download holds a connection as long as its client reads. */
const CONNECTIONS_MAX = 1_000;

/**
 * Keeps files in a bucket. Uploads arrive in the temporary directory of the node and are sent when they are complete, so
 * that a client that stops leaves nothing in the bucket and S3 never waits for a slow client.
 */
export function s3Store({ bucket, credentials, endpoint, prefix, region }: S3Settings): FileStore {
  let connected:
    | Promise<{ client: S3Client; sdk: typeof import("@aws-sdk/client-s3") }>
    | undefined;
  /** The SDK is loaded with the first file. */
  const connect = () => (connected ??= load());
  const load = async () => {
    const sdk = await import("@aws-sdk/client-s3");
    const client = new sdk.S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && {
        credentials: {
          accessKeyId: credentials.accessKeyId,
          secretAccessKey: credentials.secretAccessKey(),
        },
      }),
      // Failures are observed where the storage is used. The default logger writes to the console.
      logger: silent,
      // Not every S3-compatible server knows the checksums that newer SDKs add.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_MS_MAX,
        httpAgent: { maxSockets: CONNECTIONS_MAX },
        httpsAgent: { maxSockets: CONNECTIONS_MAX },
      },
    });
    return { client, sdk };
  };
  const place = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  return {
    incoming: tmpdir(),
    keep: (path, key) =>
      stored(async () => {
        const { client, sdk } = await connect();
        const { size } = await stat(path);
        const body = { Body: createReadStream(path), ContentLength: size };
        await client.send(new sdk.PutObjectCommand({ ...place(key), ...body }));
        await rm(path, { force: true });
      }),
    read: (key, range) =>
      stored(async () => {
        const { client, sdk } = await connect();
        const part = range && { Range: `bytes=${range.start}-${range.end}` };
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand({ ...place(key), ...part }));
          return Body as Readable;
        } catch (error) {
          if (error instanceof sdk.NoSuchKey) return undefined;
          throw error;
        }
      }),
    remove: (key) =>
      stored(async () => {
        const { client, sdk } = await connect();
        await client.send(new sdk.DeleteObjectCommand(place(key)));
      }),
    async *list() {
      const { client, sdk } = await connect();
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents = [] } of pages)
        for (const { Key = "", LastModified } of Contents)
          if (LastModified) yield { key: Key.slice(prefix.length), modifiedAt: LastModified };
    },
  };
}
