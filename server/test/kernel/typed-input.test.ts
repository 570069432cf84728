import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const kernel = pathTo("../../src/jsonapi");

/** Rules of an operation. Only the lines that end with `wrong` must not compile. */
const rules = `
import { choice, defaulted, optional, readOnly, text, timestamp } from "${kernel}/definition/attributes.ts";
import type { CreateInput, UpdateInput } from "${kernel}/definition/input.ts";
import { linkOnly, toMany, toOne } from "${kernel}/definition/relationships.ts";
import type { Operations, WriteContext } from "${kernel}/definition/resource.ts";
import { absentTarget } from "${kernel}/request/input.ts";
import { insertRow } from "${kernel}/sql/write.ts";

const fields = {
  attributes: {
    "created-at": readOnly(timestamp()),
    "title": text({ maxLength: 9 }),
    "note": optional(text({ maxLength: 9 })),
    "status": defaulted(choice(["open", "closed"])),
  },
  relationships: {
    place: toOne("places", { column: "place_id", required: true }),
    guest: toOne("people", { column: "guest_id" }),
    host: linkOnly(toOne("people", { column: "host_id" })),
    members: toMany("people", { table: "members", from: "id", to: "person_id" }),
  },
};
type Own = typeof fields;
type Other = { attributes: { name: Own["attributes"]["title"] }; relationships: {} };

export function create(context: WriteContext<Own>, { attributes, toMany, toOne }: CreateInput<Own>) {
  const found: string[] = [attributes.title, toOne.place, ...(toMany.members ?? [])];
  found.push(attributes.titel); // wrong
  found.push(attributes.note); // wrong
  found.push(attributes["created-at"]); // wrong
  found.push(toOne.guest ?? ""); // the guest can be null
  found.push(toOne.guest); // wrong
  found.push(toOne.host ?? ""); // wrong
  if (attributes.status === "opened") found.push(""); // wrong
  const written = { attributes: { ...attributes, note: null }, toOne: { ...toOne, host: null }, toMany };
  return [
    absentTarget(context.resource, "place"),
    absentTarget(context.resource, "plaice"), // wrong
    insertRow(context, context.resource, written),
    insertRow(context, context.resource, { ...written, attributes: { titel: "" } }), // wrong
    insertRow(context, context.resource, { ...written, attributes: { title: null } }), // wrong
  ];
}

export const operations: Operations<Own> = {
  create: {
    allow: { kind: "full-administrator" },
    run: async (_context, { toOne }: CreateInput<Own>) => ({ id: toOne.place }),
  },
  update: {
    allow: { kind: "full-administrator" },
    run: async (_context, id, { attributes }: UpdateInput<Own>) => ({ id: attributes.title ?? id }),
  },
};
const titleOf = async (_context: WriteContext, _id: string, { attributes }: UpdateInput<Own>) => {
  const title: string = attributes.title; // wrong
  return { id: title };
};
const nameOf = async (_context: WriteContext, { attributes }: CreateInput<Other>) => ({ id: attributes.name });
export const others: Operations<Own> = {
  create: { allow: { kind: "full-administrator" }, run: nameOf }, // wrong
  update: { allow: { kind: "full-administrator" }, run: titleOf },
};
`;

test("a rule with a wrong attribute, relationship or value does not compile", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vestry-types-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(`${folder}/rules.mts`, rules);
  const settings = {
    extends: pathTo("../../tsconfig.json"),
    compilerOptions: { typeRoots: [pathTo("../../../node_modules/@types")] },
    include: ["rules.mts"],
  };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(settings));
  const compiler = pathTo("../../../node_modules/typescript/bin/tsc");
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [compiler, "-p", folder, "--pretty", "false"], (_error, output) =>
    resolve(output),
  );
  const output = await promise;
  const refused = [...output.matchAll(/rules\.mts\((\d+),/g)].map(([, line]) => Number(line));
  const wrong = rules
    .split("\n")
    .flatMap((line, index) => (line.endsWith("// wrong") ? [index + 1] : []));
  assert.deepEqual([...new Set(refused)], wrong, output);
});
