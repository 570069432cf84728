import type { Queryable, Tx } from "../../../store/db.ts";

interface FileKey {
  accountId: string;
  importJobId: string;
}

const CHUNK_BYTES = 1_048_576;

/** Stores a compressed file, which replaces the former one. */
export async function storeFile(
  tx: Tx,
  { accountId, importJobId }: FileKey,
  content: Buffer,
): Promise<void> {
  await deleteFile(tx, { accountId, importJobId });
  for (let start = 0, position = 0; start < content.length; start += CHUNK_BYTES, position += 1)
    await tx`
      insert into import_file_chunks (account_id, import_job_id, position, content)
      values (${accountId}, ${importJobId}, ${position}, ${content.subarray(start, start + CHUNK_BYTES)})`;
}

export async function* readFile(
  db: Queryable,
  { accountId, importJobId }: FileKey,
): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const [chunk] = await db<{ content: Buffer }[]>`
      select content from import_file_chunks
      where account_id = ${accountId} and import_job_id = ${importJobId} and position = ${position}`;
    if (!chunk) return;
    yield chunk.content;
  }
}

export async function deleteFile(tx: Tx, { accountId, importJobId }: FileKey): Promise<void> {
  await tx`
    delete from import_file_chunks where account_id = ${accountId} and import_job_id = ${importJobId}`;
}
