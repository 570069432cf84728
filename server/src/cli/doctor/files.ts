import type { Config } from "../../app/config.ts";
import { fileStoreOf } from "../../app/files.ts";
import { obstacleTo } from "../../store/data-directory.ts";
import { verifyStore } from "../../store/files/file-store.ts";
import { type Finding, finding } from "./finding.ts";

/** Whether files can be stored. doctor creates no directory, and asks S3 with a small file. */
export async function examineFiles(
  config: Config,
  facts: Record<string, string>,
): Promise<Finding[]> {
  const { filesDir, filesS3 } = config;
  if (!filesS3) {
    facts["files"] = filesDir;
    const obstacle = obstacleTo(filesDir, { what: "directory of files", setting: "FILES_DIR" });
    return obstacle ? [finding("files-unusable", obstacle.problem, obstacle.remedy)] : [];
  }
  const { bucket, endpoint = `AWS, ${filesS3.region}`, prefix } = filesS3;
  facts["files"] = `bucket ${bucket} at ${endpoint}${prefix && `, under ${prefix}`}`;
  try {
    await verifyStore(fileStoreOf(config));
    return [];
  } catch (error) {
    return [
      finding(
        "files-unusable",
        `The bucket ${bucket} at ${endpoint} cannot be used: ${(error as Error).message}.`,
        "Correct the settings FILES_S3_…, or create the bucket. Uploads and downloads fail meanwhile.",
      ),
    ];
  }
}
