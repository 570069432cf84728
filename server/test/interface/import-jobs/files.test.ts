import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { csv, importing } from "../../support/imports.ts";
import { many, one, startService } from "../../support/service.ts";
import { FIRST_PARTY } from "../../support/service.ts";

/** Files as people and their programs write them, and files that nothing can read. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);
const mapping = { "Name": "full-name", "Job": "occupation" };

const given = async (jobId: string) => {
  const rows = await db<{ given: Record<string, unknown> | null }[]>`
    select given from import_rows where account_id = ${account.id} and import_job_id = ${jobId}
    order by row_number`;
  return rows.map((row) => row.given);
};

async function namesIn(file: string | Uint8Array, attributes: Record<string, unknown> = {}) {
  const { job } = await imports.rehearse({ mapping, ...attributes }, file);
  assert.equal(job.attributes["status"], "ready", String(job.attributes["failure"]));
  return (await given(job.id)).map((values) => values?.["full-name"]);
}

async function failureOf(file: string | Uint8Array, attributes: Record<string, unknown> = {}) {
  const { job, rows } = await imports.rehearse({ mapping, ...attributes }, file);
  assert.equal(job.attributes["status"], "failed");
  assert.equal(rows.length, 0);
  const [stored] = await db`
    select count(*)::int as count from import_file_chunks where import_job_id = ${job.id}`;
  assert.equal(stored?.["count"], 0);
  return String(job.attributes["failure"]);
}

const utf8 = "Name,Job\nJosé Ção,Padeiro\n";
const windows = Buffer.from(utf8, "latin1");

test("a file is UTF-8, with or without a byte order mark, or Windows-1252", async () => {
  assert.deepEqual(await namesIn(utf8), ["José Ção"]);
  assert.deepEqual(await namesIn(`\uFEFF${utf8}`), ["José Ção"]);
  assert.deepEqual(await namesIn(windows), ["José Ção"]);
  assert.deepEqual(await namesIn(windows, { encoding: "windows-1252" }), ["José Ção"]);
  // 0x80 is the euro sign in Windows-1252.
  assert.deepEqual(await namesIn(Buffer.from("Name,Job\n\x80uro\xE9,x", "latin1")), ["€uroé"]);
});

test("a file in another encoding than the one it claims fails with a sentence", async () => {
  assert.match(await failureOf(windows, { encoding: "utf-8" }), /not valid UTF-8/);
  const sixteen = Buffer.from(`\uFEFF${utf8}`, "utf16le");
  assert.match(await failureOf(sixteen), /UTF-16/);
  // A character that is cut in the middle at the very end.
  const cut = Buffer.from(utf8.trim() + "é").subarray(0, -1);
  assert.match(await failureOf(cut, { encoding: "utf-8" }), /not valid UTF-8/);
});

test("delimiters, line ends, quotes and blank lines are read as spreadsheets write them", async () => {
  assert.deepEqual(await namesIn('Job;Name\r\na;"Souza; Ana"\r\n', { delimiter: ";" }), [
    "Souza; Ana",
  ]);
  assert.deepEqual(await namesIn("Name\tJob\nTab Ana\tx\n", { delimiter: "\t" }), ["Tab Ana"]);
  assert.deepEqual(await namesIn('Name,Job\n"Ana ""Nina"" Souza",x'), ['Ana "Nina" Souza']);
  assert.deepEqual(await namesIn('Name,Job\nAna "Nina" Souza,x'), ['Ana "Nina" Souza']);
  assert.deepEqual(await namesIn('Name,Job,Note\nTwo,x,"Two\nlines"\n\n,,\nLast,y\n'), [
    "Two",
    "Last",
  ]);
  assert.deepEqual(await namesIn(" Name , Job \n  Ana  , x "), ["Ana"]);
});

test("formulas are text", async () => {
  const { job } = await imports.rehearse(
    { mapping },
    csv(["Name", "Job"], ["Formula Fay", "=cmd|' /C calc'!A0"]),
  );
  await imports.run(job.id);
  const [fay] = many(await service.get("/v1/people?filter[name]=Formula Fay"));
  assert.equal(fay?.attributes["occupation"], "=cmd|' /C calc'!A0");
});

test("files that cannot be read fail with a sentence and leave nothing", async () => {
  assert.match(await failureOf(""), /empty/);
  assert.match(await failureOf("Name,Job\n"), /no rows/);
  assert.match(await failureOf("Nome,Job\nAna,x"), /no column "Name"/);
  assert.match(await failureOf("Name,Name,Job\nAna,Eva,x"), /several columns "Name"/);
  assert.match(await failureOf('Name,Job\nAna,x\n"Eva,y\nIda,z\n'), /never closed/);
  const wide = Array.from({ length: 201 }, (_, at) => `C${at}`).join(",");
  assert.match(await failureOf(`Name,Job,${wide}\nAna,x`), /more than 200 columns/);
  assert.match(await failureOf(`Name,Job\n"${"x".repeat(400_000)}`), /never closed/);
});

test("a file has at most 50,000 rows", async (context) => {
  assert.equal(limits.importRowsMax, 50_000);
  // So many rows take a minute. The limit is the same for fewer.
  const fewer: { importRowsMax: number } = limits;
  context.mock.property(fewer, "importRowsMax", 400);
  const most = `Name,Job\n${"Ana,x\n".repeat(400)}`;
  assert.equal((await namesIn(most)).length, 400);
  assert.match(await failureOf(`${most}Eva,y\n`), /more than 400 rows/);
});

test("a file of 5 MiB of commas or of blank lines fails after its first blank rows", async () => {
  const size = 5 * 1_048_576;
  const filled = (line: string) => `Name,Job\nAna,x\n${line.repeat(size / line.length)}`;
  const blank = /more than 20,000 blank rows/;
  assert.match(await failureOf(filled(`${",".repeat(199)}\n`)), blank);
  assert.match(await failureOf(filled("\n")), blank);
  assert.match(await failureOf(filled(",\n")), blank);
  assert.match(
    await failureOf(filled(`${",".repeat(200_000)}\n`)),
    /Row 3 has more than 200 cells/,
  );
});

test("a file that is one line of millions of commas fails with a sentence", async () => {
  const commas = ",".repeat(20_000_000);
  assert.match(await failureOf(commas), /more than 200 cells, at or before line 1\./);
  assert.match(
    await failureOf(`Name,Job\n${commas}`),
    /more than 200 cells, at or before line 2\./,
  );
});

test("a row with a NUL, with too many cells or with too long a value is an error", async () => {
  const { rows } = await imports.rehearse(
    { mapping },
    ["Name,Job", "A\0na,x", "Ana,x,y,z", `Eva,${"x".repeat(200)}`, "Ida"].join("\n"),
  );
  assert.deepEqual(
    rows.map(({ attributes }) => [
      attributes["action"],
      ...(attributes["errors"] as { column: string | null; code: string }[]).flatMap(
        ({ code, column }) => [code, column],
      ),
    ]),
    [
      ["error", "invalid-text", "Name"],
      ["error", "invalid-attribute", null],
      ["error", "invalid-attribute", "Job"],
      ["create"],
    ],
  );
});

test("another file replaces the rows of the former one", async () => {
  const { job } = await imports.rehearse({ mapping }, "Name,Job\nAna,x\nEva,y");
  await imports.upload(job.id, 'Name,Job\n"Ida,z');
  const failed = await imports.settled(job.id);
  assert.deepEqual([failed.job.attributes["status"], failed.rows.length], ["failed", 0]);
  await imports.upload(job.id, "Name,Job\nIda,z");
  const ready = await imports.settled(job.id);
  assert.deepEqual([ready.job.attributes["status"], ready.rows.length], ["ready", 1]);
  assert.equal(ready.job.attributes["failure"], null);
});

test("an upload that stops in the middle changes nothing", async () => {
  const { id } = one(await imports.create({ mapping }));
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `PUT /v1/import-jobs/${id}/file HTTP/1.1`,
      "Host: localhost",
      `Origin: ${FIRST_PARTY}`,
      `Authorization: Bearer ${account.administrator.token}`,
      "Content-Type: text/csv",
      "Content-Length: 100000",
      "",
      "Name,Job\nAna,x\n",
    ].join("\r\n"),
  );
  // The answer to a request on another connection comes after the first bytes have been read.
  await service.get(`/v1/import-jobs/${id}`);
  socket.destroy();
  const job = one(await service.get(`/v1/import-jobs/${id}`));
  assert.equal(job.attributes["status"], "created");
  assert.equal((await imports.upload(id, "Name,Job\nAna,x")).status, 202);
  assert.equal((await imports.settled(id)).rows.length, 1);
});
