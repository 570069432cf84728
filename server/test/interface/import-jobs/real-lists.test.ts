import assert from "node:assert/strict";
import { after, test } from "node:test";
import { churchList, LIST_ROWS, listMapping, listMeanings } from "../../support/church-list.ts";
import { csv, errorsOf, importing, summary } from "../../support/imports.ts";
import {
  codes,
  document,
  FIRST_PARTY,
  one,
  type Resource,
  startService,
} from "../../support/service.ts";
import { labels } from "../../../src/features/imports/columns/labels.ts";
import { describedCatalogue as catalogue } from "../../../src/catalogue.ts";
import { kinds, importerOf } from "../../../src/features/imports/kinds.ts";
import { targetNamed } from "../../../src/features/imports/columns/columns.ts";

/** Lists in the words of the people who wrote them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);
const settings = { country: "BR", lang: "pt-BR" };
await service.patch(
  `/v1/accounts/${account.id}`,
  document("accounts", { settings }, { id: account.id }),
);

const given = async ({ id }: Resource) => {
  const rows = await db<{ given: Record<string, unknown> | null }[]>`
    select given from import_rows where account_id = ${account.id} and import_job_id = ${id} order by row_number`;
  return rows.map((row) => row.given ?? {});
};

const valuesOf = async (
  target: string,
  cells: readonly string[],
  attributes: Record<string, unknown> = {},
) => {
  const { job, rows } = await imports.rehearse(
    { "mapping": { Name: "full-name", X: target }, "date-format": "DD/MM/YYYY", ...attributes },
    csv(["Name", "X"], ...cells.map((cell, n) => [`Person ${n}`, cell])),
  );
  const read = await given(job);
  return read.map((values, n) => {
    const [error] = (rows[n]?.attributes["errors"] ?? []) as { code: string; detail: string }[];
    const { "full-name": _, ...others } = values;
    return error ? error.code : JSON.stringify(Object.values(others)[0] ?? null);
  });
};

test("a list of 420 Brazilian members goes in at the second dry run", async () => {
  const first = await imports.rehearse(
    {
      "mapping": listMapping,
      "match-on": ["external-id"],
      "on-match": "update",
      "delimiter": ";",
      "date-format": "DD/MM/YYYY",
      "household-key": "Cód. família",
    },
    churchList(),
  );
  const { id } = first.job;
  const { "by-column": asked } = first.job.attributes["counts"] as Record<string, unknown>;
  assert.deepEqual(asked, {
    "Celular": { "area-code-missing": 115, "too-short": 1 },
    "E-mail": { "invalid-attribute": 1 },
    "Nascimento": { "invalid-attribute": 1 },
    "Parentesco": { "invalid-attribute": 42 },
    "Situação": { "invalid-attribute": 51 },
  });

  const changed = await imports.change(id, {
    "value-mapping": listMeanings,
    "default-area-code": "19",
  });
  assert.equal(changed.status, 200, changed.text);
  await imports.upload(id, churchList());
  const second = await imports.settled(id);
  assert.deepEqual((second.job.attributes["counts"] as Record<string, unknown>)["by-column"], {
    "Celular": { "too-short": 1 },
    "E-mail": { "invalid-attribute": 1 },
    "Nascimento": { "invalid-attribute": 1 },
  });
  const ran = await imports.run(id);
  assert.partialDeepStrictEqual(ran.job.attributes["counts"], { error: 3, written: LIST_ROWS - 3 });
  const [stored] = await db`
    select count(*)::int as people, count(distinct m.household_id)::int as homes,
      count(*) filter (where p.sex = 'male')::int as men, count(*) filter (where p.birthdate is null)::int as undated
    from people p join household_memberships m on m.account_id = p.account_id and m.person_id = p.id
    where p.account_id = ${account.id}`;
  assert.deepEqual(stored, { people: LIST_ROWS - 3, homes: 105, men: 184, undated: 94 });
  const lines = (await imports.errorFile(id)).text.split("\r\n");
  assert.equal(lines.length, 5);
});

test("choices are understood by their labels in the language of the account and in English", async () => {
  assert.deepEqual(
    await valuesOf("sex", ["M", "f", "Masculino", "MULHER", "female", "Woman", "homme"]),
    ['"male"', '"female"', '"male"', '"female"', '"female"', '"female"', "invalid-attribute"],
  );
  assert.deepEqual(
    await valuesOf("marital-status", [
      "Casado(a)",
      "casada",
      "Viúvo/a",
      "UNIÃO ESTÁVEL",
      "soltero",
    ]),
    ['"married"', '"married"', '"widowed"', '"partnered"', "invalid-attribute"],
  );
  assert.deepEqual(await valuesOf("membership-status", ["Ex-membro", "former member"]), [
    '"former-member"',
    '"former-member"',
  ]);
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { settings: { lang: "es" } }, { id: account.id }),
  );
  // In Spanish, M is "masculino" beside F, and "mujer" beside H.
  assert.deepEqual(await valuesOf("sex", ["M", "H", "varón"]), [
    "invalid-attribute",
    '"male"',
    '"male"',
  ]);
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { settings: { lang: "pt-BR" } }, { id: account.id }),
  );
});

test("every choice that an import can set has labels", () => {
  const missing = kinds.flatMap((kind) => {
    const importer = importerOf(catalogue, { kind });
    const resource = catalogue.resources.get(importer.type);
    const names = [
      ...Object.keys(resource?.attributes ?? {}),
      ...[importer, ...importer.linkers(catalogue.published)].flatMap(({ columns }) =>
        Object.keys(columns),
      ),
    ];
    return names.flatMap((name) => {
      const { schema } = targetNamed(name, importer, catalogue, undefined) ?? {};
      const choices = (schema as { enum?: string[] } | undefined)?.enum ?? [];
      return choices.filter((one) => labels[one] === undefined);
    });
  });
  assert.deepEqual(missing, []);
});

test("value-mapping and blank-values translate the cells of a column", async () => {
  const meanings = { X: { "Em dia": "member", "sem": "", "visitor": "attender" } };
  assert.deepEqual(
    await valuesOf(
      "membership-status",
      ["EM DIA", "Sem", "visitor", "Visitante", "N/A", "Não tem", "-"],
      {
        "value-mapping": meanings,
      },
    ),
    ['"member"', "null", '"attender"', '"visitor"', "null", "null", "null"],
  );
  assert.deepEqual(
    await valuesOf("tag", ["Coro; Som", "som"], { "value-mapping": { X: { som: "Sound" } } }),
    ['["Coro","Sound"]', '["Sound"]'],
  );
  assert.deepEqual(await valuesOf("occupation", ["?", "-"], { "blank-values": ["?"] }), [
    "null",
    '"-"',
  ]);
});

test("telephone numbers are completed, and a number that no plan knows is an error with its reason", async () => {
  const cells = [
    "98765-4321",
    "3254-1234",
    "(19) 98765-4321",
    "12",
    "(11) 8765-4321",
    "(11) 98765-43210",
    "+351 910 000 044",
  ];
  const whole = '[{"number":"+5519987654321"}]';
  const abroad = '[{"number":"+351910000044"}]';
  const rest = ["too-short", "number-unknown", "too-long", abroad];
  assert.deepEqual(await valuesOf("phone", cells), [
    "area-code-missing",
    "area-code-missing",
    whole,
    ...rest,
  ]);
  assert.deepEqual(await valuesOf("phone", cells, { "default-area-code": "19" }), [
    whole,
    '[{"number":"+551932541234"}]',
    whole,
    ...rest,
  ]);
  assert.deepEqual(await valuesOf("phone", ["910 000 044", "91 000"], { country: "PT" }), [
    abroad,
    "too-short",
  ]);
});

test("years of two digits mean the last hundred years, and a birthday needs no year", async () => {
  const year = new Date().getUTCFullYear();
  const short = (of: number) => String(of % 100).padStart(2, "0");
  assert.deepEqual(
    await valuesOf("birthdate", [
      `01/01/${short(year)}`,
      `01/01/${short(year + 1)}`,
      "17/05/84",
      "17/05",
      "29/02",
      "17/05/0000",
      "00/00/0000",
      "17/05/984",
      "31/02/1990",
      "30/02",
    ]),
    [
      `"${year}-01-01"`,
      `"${year - 99}-01-01"`,
      '"1984-05-17"',
      '"05-17"',
      '"02-29"',
      '"05-17"',
      "null",
      "invalid-attribute",
      "invalid-attribute",
      "invalid-attribute",
    ],
  );
  const { rows } = await imports.rehearse(
    {
      "mapping": { Name: "full-name", X: "birthdate", Y: "baptism-date" },
      "date-format": "DD.MM.YYYY",
    },
    csv(["Name", "X", "Y"], ["Ana", "17/05/1984", "17.05"]),
  );
  const [born, baptized] = (rows[0]?.attributes["errors"] ?? []) as { detail: string }[];
  assert.match(born?.detail ?? "", /DD\.MM\.YYYY/);
  assert.match(baptized?.detail ?? "", /DD\.MM\.YYYY, with its year/);
});

test("a dry run reports every fault of a row with its cell, counts them by column, and returns the rows as a file", async () => {
  const mapping = {
    "Nome": "full-name",
    "Celular": "phone",
    "Nascimento": "birthdate",
    "Batismo": "baptism-date",
    "Célula": "cell",
    "Etiqueta": "tag",
    "Mail": "email",
  };
  const file = [
    "Nome;Celular;Nascimento;Batismo;Célula;Etiqueta;Mail;Observação",
    `"Souza; Ana";98765-4321;1990-05-17;1980-01-01;Nowhere;${"x".repeat(61)};ana@;""`,
    ";12;31/31/2020;;;;;",
    "Rui;;;;;;;",
    '"Eva ""E"" Reis";;;;Nowhere;;;ok',
  ].join("\r\n");
  const { job, rows } = await imports.rehearse(
    { mapping, delimiter: ";" },
    Buffer.from(file, "latin1"),
  );
  assert.deepEqual(errorsOf(rows), [
    [2, "Celular", "area-code-missing"],
    [2, "Mail", "invalid-attribute"],
    [2, "Batismo", "invalid-attribute"],
    [2, "Etiqueta", "invalid-attribute"],
    [2, "Célula", "invalid-relationship"],
    [3, "Celular", "too-short"],
    [3, "Nascimento", "invalid-attribute"],
    [3, null, "missing-attribute"],
    [5, "Célula", "invalid-relationship"],
  ]);
  const cells = ((rows[0]?.attributes["errors"] ?? []) as { value: string }[]).map(
    ({ value }) => value,
  );
  assert.deepEqual(cells.slice(0, 3), ["98765-4321", "ana@", "1980-01-01"]);
  const counts = job.attributes["counts"] as Record<string, unknown>;
  assert.deepEqual(counts["by-column"], {
    "": { "missing-attribute": 1 },
    "Batismo": { "invalid-attribute": 1 },
    "Celular": { "area-code-missing": 1, "too-short": 1 },
    "Célula": { "invalid-relationship": 2 },
    "Etiqueta": { "invalid-attribute": 1 },
    "Mail": { "invalid-attribute": 1 },
    "Nascimento": { "invalid-attribute": 1 },
  });

  const answer = await fetch(`${service.url}/v1/import-jobs/${job.id}/error-file`, {
    headers: { Authorization: `Bearer ${account.administrator.token}`, Origin: FIRST_PARTY },
  });
  assert.equal(answer.headers.get("content-type"), "text/csv; charset=windows-1252");
  const text = new TextDecoder("windows-1252").decode(await answer.arrayBuffer());
  const lines = text.split("\r\n");
  const [header, , , third] = file.split("\r\n");
  assert.deepEqual(
    [lines[0], lines.length, text.includes(third ?? "?")],
    [`${header};Errors`, 5, false],
  );
  assert.equal(
    lines[3],
    '"Eva ""E"" Reis";;;;Nowhere;;;ok;Célula: There is no such resource. No cell has the name Nowhere.',
  );
  assert.match(lines[2] ?? "", /^;12;31\/31\/2020;;;;;;Celular: .+ \| Nascimento: .+ \| full-name/);

  // The file goes in again as it is, with the column of the reasons.
  await imports.upload(job.id, text);
  const again = await imports.settled(job.id);
  assert.equal(again.rows.length, 3);
  const [repeated = ""] = (await imports.errorFile(job.id)).text.split("\r\n");
  assert.equal(repeated, `${header};Errors`);
  const fresh = one(await imports.create({ mapping }));
  const early = await imports.errorFile(fresh.id);
  assert.deepEqual([early.status, codes(early)], [409, ["conflict"]]);
});

test("household-key tells families of one surname apart, and further heads and addresses are warnings", async () => {
  const mapping = {
    "Nome": "full-name",
    "Família": "household",
    "Papel": "household-role",
    "Rua": "address.street",
  };
  const family = { mapping, "household-key": "Nº" };
  const header = ["Nome", "Família", "Nº", "Papel", "Rua"];
  const { job, rows } = await imports.rehearse(
    family,
    csv(
      header,
      ["Rui Prado", "Prado", "1", "Pai", "Rua São João"],
      ["Lia Prado", "PRADO", "1", "Mãe", "RUA SAO JOAO"],
      ["Ana Prado", "Prado", "2", "Pai", "Rua B"],
      ["Eva Prado", "Prado", "2", "Filho(a)", "Rua C"],
      ["Ivo Prado", "Prado", "1", "Pai", ""],
    ),
  );
  assert.deepEqual(errorsOf(rows), []);
  assert.deepEqual(
    rows.map(({ attributes }) => attributes["warnings"]),
    [
      [],
      [],
      [],
      [
        {
          column: "Rua",
          code: "other-address",
          detail: "Row 4 has another address in the same household.",
          value: "Rua C",
        },
      ],
      [
        {
          column: "Papel",
          code: "second-head",
          detail: "Row 2 is the head of this household already.",
          value: "Pai",
        },
      ],
    ],
  );
  await imports.run(job.id);
  const homes = async () =>
    (
      await db<{ members: string }[]>`
        select string_agg(p.full_name || ' ' || m.household_role, ', ' order by p.full_name) as members
        from households h
        join household_memberships m on m.account_id = h.account_id and m.household_id = h.id
        join people p on p.account_id = m.account_id and p.id = m.person_id
        where h.account_id = ${account.id} and h.name = 'Prado' group by h.id order by min(p.full_name)`
    ).map(({ members }) => members);
  assert.deepEqual(await homes(), [
    "Ana Prado head, Eva Prado child",
    "Ivo Prado head, Lia Prado spouse, Rui Prado head",
  ]);

  // The rows that were wrong come later, in a file of their own.
  const later = await imports.rehearse(
    family,
    csv(header, ["Ida Prado", "Prado", "2", "Filha", ""]),
  );
  assert.deepEqual(summary((await imports.run(later.job.id)).rows), [[2, "create", "written"]]);
  assert.equal((await homes())[0], "Ana Prado head, Eva Prado child, Ida Prado child");
});
