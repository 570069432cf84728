import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder, documentOf } from "./documents.ts";
import { includeTree } from "./query.ts";

const person = {
  type: "people",
  id: "1",
  attributes: { "full-name": "Ana" },
  relationships: {
    "created-by": { data: null },
    "cells": { data: [{ type: "cells", id: "2" }] },
    "tags": {},
  },
};
const cell = {
  type: "cells",
  id: "2",
  attributes: { name: "Sé" },
  relationships: { leaders: { data: [{ type: "people", id: "1" }] } },
};
const document = { data: [person], included: [cell] };

test("without include, a record has identifiers where the document has linkage", () => {
  assert.deepEqual(new Decoder(document).record(person, {}), {
    "id": "1",
    "$type": "people",
    "full-name": "Ana",
    "created-by": null,
    "cells": [{ id: "2", $type: "cells" }],
  });
});

test("records are nested along the include paths, and no further", () => {
  const record = new Decoder(document).record(person, includeTree(["cells.leaders"]));
  assert.deepEqual(record["cells"], [
    {
      id: "2",
      $type: "cells",
      name: "Sé",
      leaders: [
        {
          "id": "1",
          "$type": "people",
          "full-name": "Ana",
          "created-by": null,
          "cells": [{ id: "2", $type: "cells" }],
        },
      ],
    },
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(structuredClone(record))), record);
});

test("an included relationship that the caller may not see is empty", () => {
  const record = new Decoder(document).record(person, includeTree(["tags", "household"]));
  assert.deepEqual([record["tags"], record["household"]], [[], null]);
});

test("an included record that is gone keeps its id and its type", () => {
  const decoder = new Decoder({ data: person });
  assert.deepEqual(decoder.record(person, includeTree(["cells"]))["cells"], [
    { id: "2", $type: "cells" },
  ]);
});

test("the version in meta becomes $etag, and the rest becomes $meta", () => {
  const decoder = new Decoder({});
  const meta = { etag: '"1-a"', may: { delete: true } };
  assert.deepEqual(decoder.record({ type: "tags", id: "1", meta }, {}), {
    id: "1",
    $type: "tags",
    $etag: '"1-a"',
    $meta: { may: { delete: true } },
  });
});

test("values that are relationships of the type become linkage", () => {
  const values = {
    "full-name": "Ana",
    "occupation": null,
    "email": undefined,
    "tags": ["7", { id: "8" }],
  };
  assert.deepEqual(documentOf("people", values), {
    data: {
      type: "people",
      attributes: { "full-name": "Ana", "occupation": null },
      relationships: {
        tags: {
          data: [
            { type: "tags", id: "7" },
            { type: "tags", id: "8" },
          ],
        },
      },
    },
  });
  assert.deepEqual(documentOf("cells", { parent: null, host: undefined }, "2"), {
    data: { type: "cells", id: "2", relationships: { parent: { data: null } } },
  });
});

test("a link to one of several types needs the type", () => {
  const about = { id: "1", $type: "cells" };
  assert.deepEqual(documentOf("notes", { about }).data.relationships, {
    about: { data: { type: "cells", id: "1" } },
  });
  assert.throws(() => documentOf("notes", { about: "1" }), /people or households or cells/);
});

test("a member with the name of a prototype is an ordinary member", () => {
  const values = JSON.parse(
    '{"custom-properties":{"constructor":"1"},"constructor":"2"}',
  ) as object;
  assert.deepEqual(documentOf("people", values).data.attributes, values);
});
