import { importSteps } from "../../src/features/imports/steps/queue.ts";
import { onObservation } from "../../src/base/observe.ts";
import { testServices, until, workOff } from "./queues.ts";
import { type Answer, document, many, one, type Resource, type TestService } from "./service.ts";

/** Imports over HTTP. Their steps run in this process when the test waits for them. */

export interface Import {
  job: Resource;
  rows: readonly Resource[];
}

export interface Importing {
  create(attributes: Record<string, unknown>, options?: { as?: string }): Promise<Answer>;
  change(
    id: string,
    attributes: Record<string, unknown>,
    options?: { as?: string },
  ): Promise<Answer>;
  errorFile(id: string, options?: { as?: string }): Promise<Answer>;
  upload(id: string, file: string | Uint8Array, options?: UploadOptions): Promise<Answer>;
  /** Waits until the step that has begun is over. */
  settled(id: string): Promise<Import>;
  act(type: "import-runs" | "import-undos", id: string, options?: { as?: string }): Promise<Answer>;
  /** Creates a job, uploads the file and waits for the dry run. */
  rehearse(attributes: Record<string, unknown>, file: string | Uint8Array): Promise<Import>;
  /** Runs a rehearsed job to its end. */
  run(id: string): Promise<Import>;
  undo(id: string): Promise<Import>;
}

interface UploadOptions {
  as?: string;
  headers?: Record<string, string | null>;
}

export function importing(
  service: TestService,
  after: (clean: () => unknown) => void,
  { works = true }: { works?: boolean } = {},
): Importing {
  after(
    onObservation((one) => {
      if (one.kind === "job-failed") console.error(one.error);
    }),
  );
  const work = async () => {
    if (works) await workOff(service, service.account.id, importSteps, testServices());
  };
  const rowsOf = async (id: string) =>
    many(await service.get(`/v1/import-rows?filter[import-job]=${id}&sort=row`));
  const settled = async (id: string): Promise<Import> => {
    await work();
    return until(async () => {
      const job = one(await service.get(`/v1/import-jobs/${id}`));
      const isBusy = ["validating", "running", "undoing"].includes(
        String(job.attributes["status"]),
      );
      return isBusy ? undefined : { job, rows: await rowsOf(id) };
    });
  };
  const create: Importing["create"] = (attributes, options) =>
    service.post(
      "/v1/import-jobs",
      document("import-jobs", { kind: "people", ...attributes }),
      options,
    );
  const upload: Importing["upload"] = (id, file, { as, headers } = {}) =>
    service.request("PUT", `/v1/import-jobs/${id}/file`, {
      body: file,
      headers: { "Content-Type": "text/csv", ...headers },
      ...(as !== undefined && { as }),
    });
  const change: Importing["change"] = (id, attributes, options) =>
    service.patch(`/v1/import-jobs/${id}`, document("import-jobs", attributes, { id }), options);
  const errorFile: Importing["errorFile"] = (id, options) =>
    service.get(`/v1/import-jobs/${id}/error-file`, options);
  const act: Importing["act"] = (type, id, options) =>
    service.post(
      `/v1/${type}`,
      document(
        type,
        {},
        { relationships: { "import-job": { data: { type: "import-jobs", id } } } },
      ),
      options,
    );
  const begin = async (answer: Promise<Answer>, id: string) => {
    const { status, text } = await answer;
    if (status !== 202) throw new Error(text);
    return settled(id);
  };
  return {
    create,
    change,
    errorFile,
    upload,
    settled,
    act,
    async rehearse(attributes, file) {
      const { id } = one(await create(attributes));
      return begin(upload(id, file), id);
    },
    run: (id) => begin(act("import-runs", id), id),
    undo: (id) => begin(act("import-undos", id), id),
  };
}

/** A CSV file of these rows, the header first. */
export const csv = (...rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => JSON.stringify(cell).replaceAll('\\"', '""')).join(","))
    .join("\r\n");

type Rows = readonly { attributes: Record<string, unknown> }[];

/** The number, the action and the outcome of each row. */
export const summary = (rows: Rows) =>
  rows.map(({ attributes }) => [attributes["row"], attributes["action"], attributes["outcome"]]);

/** The row, the column and the code of each error. */
export const errorsOf = (rows: Rows) =>
  rows.flatMap(({ attributes }) =>
    (attributes["errors"] as { column: string | null; code: string }[]).map(({ code, column }) => [
      attributes["row"],
      column,
      code,
    ]),
  );
