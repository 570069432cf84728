import assert from "node:assert/strict";
import { test } from "node:test";
import { detailsOf } from "./found-people.ts";

const years = (age: number) => `${age} years`;

test("a person who was found has a number beside the name, and people of one name their group and age too", () => {
  const phones = [{ number: "+351912345678", display: "+351 912 345 678" }];
  assert.deepEqual(
    detailsOf(
      [
        { "full-name": "Ana Reis", "phones": phones, "cells": [{ name: "Alfama" }], "age": 41 },
        { "full-name": "Ana Reis", "phones": phones, "cells": [], "age": 12 },
        { "full-name": "Ana Reis", "email": "ana@mail.example", "age": null },
        { "full-name": "Rui Reis", "phones": phones, "cells": [{ name: "Alfama" }], "age": 44 },
        { "full-name": "Eva Reis" },
      ],
      years,
    ),
    [
      "+351 912 345 678 · Alfama · 41 years",
      "+351 912 345 678 · 12 years",
      "ana@mail.example",
      "+351 912 345 678",
      "",
    ],
  );
});
