import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { makeCourse, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  FIRST_PARTY,
  pointers,
  PUBLIC_URL,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id, "Stays");
const { id: person } = await makePerson(db, account.id);

/** Every kind of route that takes a document. */
const writes: [string, string][] = [
  ["POST", "/v1/courses"],
  ["PATCH", `/v1/courses/${course}`],
  ["PATCH", `/v1/courses/${course}/relationships/teachers`],
  ["POST", `/v1/courses/${course}/relationships/teachers`],
  ["DELETE", `/v1/courses/${course}/relationships/teachers`],
  ["POST", "/v1/people"],
  ["PATCH", `/v1/people/${person}`],
  ["PATCH", `/v1/accounts/${account.id}`],
  ["POST", "/v1/roles"],
  ["POST", "/v1/role-assignments"],
];

const post = (body: string | Uint8Array) => service.post("/v1/courses", body);
const rows = async () => {
  const [row] = await db`
    select (select count(*) from courses where account_id = ${account.id}) as courses,
      (select count(*) from people where account_id = ${account.id}) as people,
      (select count(*) from roles where account_id = ${account.id}) as roles,
      (select sum(version) from courses where account_id = ${account.id}) as versions`;
  return row;
};
const before = await rows();
test.afterEach(async () => assert.deepEqual(await rows(), before, "nothing is half-written"));

test("400 · a body that is not JSON in UTF-8 is rejected at every route", async () => {
  for (const [method, path] of writes)
    for (const body of [
      "{",
      "nonsense",
      "{'data': null}",
      '{"data":{}}}',
      '{"data":1,}',
      "NaN",
      "<xml/>",
      " ",
      '{"a":"\u0001"}',
      Uint8Array.of(0x22, 0xff, 0x22),
      Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
      new Uint8Array(64),
    ]) {
      const answer = await service.request(method, path, { body });
      assert.deepEqual(
        [answer.status, ...codes(answer)],
        [400, "malformed-json"],
        `${method} ${path} ${String(body)}`,
      );
      assert.deepEqual(pointers(answer), [""]);
    }
});

test("400 · JSON that is not a JSON:API document is rejected at every route", async () => {
  for (const [method, path] of writes) {
    for (const body of ["null", "true", "5", '"x"', "[]", "{}", '{"errors":[]}', '{"Data":{}}']) {
      const answer = await service.request(method, path, { body });
      assert.deepEqual(
        [answer.status, ...codes(answer)],
        [400, "malformed-document"],
        `${path} ${body}`,
      );
    }
    const nothing = await service.request(method, path);
    assert.equal(nothing.status, 400, `${method} ${path} without a body`);
    assert.deepEqual(codes(nothing), ["malformed-document"]);
  }
  for (const body of ['{"data":null}', '{"data":[]}', '{"data":"x"}', '{"data":5}'])
    assert.deepEqual(pointers(await post(body)), ["/data"]);
  for (const body of [
    '{"data":{}}',
    '{"data":{"type":5}}',
    '{"data":{"type":null}}',
    '{"data":{"type":["courses"]}}',
  ])
    assert.deepEqual(pointers(await post(body)), ["/data/type"]);
});

test("400 · unknown members of a document or a resource object are rejected", async () => {
  const good = '"data":{"type":"courses","attributes":{"name":"x"}}';
  const answer = await post(`{${good},"nonsense":1}`);
  assert.deepEqual([answer.status, ...pointers(answer)], [400, "/nonsense"]);
  const proto = await post(`{${good},"__proto__":{"data":1}}`);
  assert.deepEqual([proto.status, ...pointers(proto)], [400, "/__proto__"]);
  for (const name of ["name", "__proto__", "constructor", "a/b~c"]) {
    const inside = await post(`{"data":{"type":"courses","attributes":{"name":"x"},"${name}":{}}}`);
    assert.equal(inside.status, 400, name);
    assert.deepEqual(pointers(inside), [`/data/${name.replace("~", "~0").replace("/", "~1")}`]);
  }
  for (const attributes of ["null", "[]", '"x"', "5"])
    assert.deepEqual(
      pointers(await post(`{"data":{"type":"courses","attributes":${attributes}}}`))[0],
      "/data/attributes",
    );
  for (const relationships of ["null", "[]", '"x"', "5"]) {
    const text = `{"data":{"type":"courses","attributes":{"name":"x"},"relationships":${relationships}}}`;
    assert.deepEqual(pointers(await post(text)), ["/data/relationships"]);
  }
});

test("400 · unknown members are reported together with every other mistake", async () => {
  const mistakes = '"type":"courses","nonsense":1,"attributes":{"name":"","color":1}';
  const answer = await post(`{"data":{${mistakes}},"a":1,"b/c":2}`);
  assert.equal(answer.status, 400);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set(["/a", "/b~1c", "/data/nonsense", "/data/attributes/name", "/data/attributes/color"]),
  );
  const teachers = '[{"type":"courses","id":"x"},5]';
  const linkage = await service.post(
    `/v1/courses/${course}/relationships/teachers`,
    `{"data":${teachers},"a":1,"b":2}`,
  );
  assert.deepEqual(pointers(linkage), ["/a", "/b", "/data/0/type", "/data/1"]);
});

test("400 · deep nesting is rejected anywhere in a document, at every route", async () => {
  assert.equal(limits.nestingDepthMax, 32);
  for (const [method, path] of writes)
    for (const depth of [limits.nestingDepthMax + 10, 100_000]) {
      const array = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      const object = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      for (const body of [
        `{"data":${array}}`,
        `{"data":{"type":"courses","attributes":{"name":${object}}}}`,
        `{"data":{"type":"courses","meta":${array}}}`,
        `{"data":{"type":"courses"},"meta":${object}}`,
        array,
      ]) {
        const answer = await service.request(method, path, { body });
        assert.equal(answer.status, 400, `${method} ${path} ${body.slice(0, 60)}`);
        assert.ok(["too-deep", "malformed-document"].includes(codes(answer)[0] ?? ""));
      }
    }
});

test("4xx · an error has its own id, a link to its code, the status as text, and the request id", async () => {
  for (const answer of [
    await post("{"),
    await service.get("/v1/courses?nonsense=1"),
    await service.get("/v1/courses", { as: null, headers: { Origin: null } }),
    await service.get("/v1/webhook-endpoints", { headers: { Origin: "https://evil.example" } }),
    await service.get("/v1/courses/x"),
    await service.request("PUT", "/v1/courses"),
    await post('{"data":{"type":"people"}}'),
    await service.post("/v1/courses", {}, { headers: { "Content-Type": "text/plain" } }),
    await post('{"data":{"type":"courses","attributes":{"name":"","color":1}}}'),
  ]) {
    const { errors = [] } = answer.document;
    assert.ok(errors.length > 0 && answer.status >= 400, answer.text);
    assert.equal(new Set(errors.map(({ id }) => id)).size, errors.length);
    for (const { source: _, ...error } of errors) {
      const members = ["id", "links", "status", "code", "title", "detail", "meta"];
      assert.deepEqual(Object.keys(error), members);
      const requestId = answer.headers.get("x-request-id");
      assert.equal(error.meta["request-id"], requestId);
      assert.notEqual(error.id, requestId);
      assert.equal(error.links.type, `${PUBLIC_URL}/docs/errors#${error.code}`);
      assert.equal(error.status, String(answer.status));
      assert.match(error.code, /^[a-z]+(-[a-z]+)*$/);
      assert.match(error.title, /^[A-Z].*\w$/);
      assert.match(error.detail, /\.$/);
    }
  }
});

test("413 · a body may have 1 MiB and no more", async () => {
  assert.equal(limits.bodyBytesMax, 1_048_576);
  const filled = (bytes: number) => {
    const empty = JSON.stringify(document("courses", { name: "", nonsense: "" }));
    return empty.replace('"nonsense":""', `"nonsense":"${"x".repeat(bytes - empty.length)}"`);
  };
  const under = await post(filled(limits.bodyBytesMax));
  assert.equal(under.status, 422);
  const over = await post(filled(limits.bodyBytesMax + 1));
  assert.deepEqual([over.status, ...codes(over), ...pointers(over)], [413, "body-too-large", ""]);
  assert.equal(over.document.errors?.[0]?.detail, "Send at most 1 MiB.");
  const white = await post(" ".repeat(limits.bodyBytesMax + 1));
  assert.equal(white.status, 413);
});

test("413 · a client that reads only after it has sent everything gets the response", async () => {
  const { hostname, port } = new URL(service.url);
  const body = Buffer.alloc(12 * 1_048_576, "x");
  const chunked = Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  for (const [framing, sent] of [
    [`Content-Length: ${body.length}`, body],
    ["Transfer-Encoding: chunked", chunked],
  ] as const)
    for (let time = 0; time < 5; time += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /v1/courses HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${FIRST_PARTY}\r\n` +
          `Authorization: Bearer ${service.account.administrator.token}\r\nConnection: close\r\n` +
          `Content-Type: application/vnd.api+json\r\n${framing}\r\n\r\n`,
      );
      await new Promise((resolve, reject) => {
        socket.once("error", reject);
        socket.write(sent, resolve);
      });
      assert.match(await text(socket), /^HTTP\/1.1 413 .*body-too-large/s);
    }
});

test("422 · a document with very many members is rejected quickly", async () => {
  const names = Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join();
  const answer = await post(`{"data":{"type":"courses","attributes":{${names}}}}`);
  assert.equal(answer.status, 422);
  const linked = Array(20_000).fill('{"type":"x","id":"y"}').join();
  const text = `{"data":{"type":"courses","attributes":{"name":"x"},"relationships":{"teachers":{"data":[${linked}]}}}}`;
  assert.deepEqual(pointers(await post(text)), ["/data/relationships/teachers/data"]);
});

test("422 · NUL and unpaired surrogates are rejected anywhere in a document", async () => {
  for (const bad of ["\\u0000", "\\ud800", "\\udc00", "\\ud800x", "\\udc00\\ud800"]) {
    for (const [text, pointer] of [
      [`{"name":"a${bad}"}`, "/data/attributes/name"],
      [`{"name":"x","description":"${bad}"}`, "/data/attributes/description"],
      [
        `{"name":"x","custom-properties":{"a":["${bad}"]}}`,
        "/data/attributes/custom-properties/a/0",
      ],
      [`{"name":"x","custom-properties":{"${bad}":1}}`, "/data/attributes/custom-properties"],
      [`{"name":"x","${bad}":1}`, "/data/attributes"],
    ] as const) {
      const answer = await post(`{"data":{"type":"courses","attributes":${text}}}`);
      assert.deepEqual([answer.status, ...codes(answer)], [422, "invalid-text"], text);
      assert.deepEqual(pointers(answer), [pointer]);
    }
    for (const text of [
      `{"data":{"type":"${bad}"}}`,
      `{"data":{"type":"courses","id":"${bad}"}}`,
      `{"data":{"type":"courses","relationships":{"teachers":{"data":[{"type":"people","id":"${bad}"}]}}}}`,
      `{"data":{"type":"courses","meta":{"${bad}":"${bad}"}}}`,
      `{"data":"${bad}"}`,
    ])
      assert.deepEqual(codes(await post(text)), ["invalid-text"], text);
    for (const text of [
      `{"data":{"type":"courses","attributes":{"name":""}},"meta":{"${bad}":"${bad}"}}`,
      `{"data":{"type":"courses","attributes":{"name":""}},"${bad}":1}`,
    ]) {
      const answer = await post(text);
      assert.ok(answer.status === 422 || answer.status === 400, text);
    }
  }
});

test("422 · names of the JavaScript object prototype are unknown attributes", async () => {
  for (const name of [
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
  ]) {
    const answer = await post(
      `{"data":{"type":"courses","attributes":{"name":"x","${name}":{"a":1}}}}`,
    );
    assert.deepEqual([answer.status, ...codes(answer)], [422, "unknown-attribute"]);
    const related = await post(
      `{"data":{"type":"courses","attributes":{"name":"x"},"relationships":{"${name}":{"data":null}}}}`,
    );
    assert.deepEqual([related.status, ...codes(related)], [422, "unknown-relationship"]);
    for (const place of ["address", "communication-preferences", "external-ids"]) {
      const nested = await service.post(
        "/v1/people",
        `{"data":{"type":"people","attributes":{"full-name":"x","nonsense":1,"${place}":{"${name}":{"a":1}}}}}`,
      );
      assert.ok(
        pointers(nested).some((at) => at?.startsWith(`/data/attributes/${place}`)),
        `${place} ${name}`,
      );
    }
  }
  assert.equal(({} as Record<string, unknown>)["a"], undefined);
});
