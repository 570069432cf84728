import assert from "node:assert/strict";
import { test } from "node:test";
import {
  displayOf,
  isTypedPhone,
  readKnownPhone,
  readPhone,
  searchedDigits,
  UnreadPhone,
} from "./phone-numbers.ts";

const read = (text: string, country: string | null) => {
  const phone = readPhone(text, country);
  return phone instanceof UnreadPhone ? phone.fault : phone;
};

test("numbers are read with separators, with 00, and as national numbers of the country", () => {
  for (const [typed, country, number] of [
    ["+351912345678", null, "+351912345678"],
    ["+351 912-345.678", null, "+351912345678"],
    ["(+351) 912 345 678", null, "+351912345678"],
    ["00351 912 345 678", null, "+351912345678"],
    ["00351 912 345 678", "US", "+351912345678"],
    ["00 15 351 912345678", "BR", "+351912345678"],
    ["+44 (0)20 7946 0958", "PT", "+442079460958"],
    ["912 345 678", "PT", "+351912345678"],
    ["(11) 98765-4321", "BR", "+5511987654321"],
    ["030/901820", "DE", "+4930901820"],
    ["8 912 345-67-89", "RU", "+79123456789"],
    ["06 1234 5678", "IT", "+390612345678"],
    // Copied from a list of contacts, with marks of the direction and a hyphen that does not break.
    ["\u202a+351\u00a0912‑345‑678\u202c", null, "+351912345678"],
  ] as const)
    assert.equal(read(typed, country), number, typed);
});

test("a number with its country code needs no numbering plan, and a national number needs one", () => {
  assert.equal(read("+44 7700 900 068", null), "+447700900068");
  assert.equal(read("+999 1234567", null), "+9991234567");
  assert.equal(read("07700 900 068", "GB"), "number-unknown");
  assert.ok(readKnownPhone("+44 7700 900 068", { country: "PT" }) instanceof UnreadPhone);
  for (const [typed, country, fault] of [
    ["912 345 678", null, "country-code-missing"],
    ["912 345 678", "AQ", "country-code-missing"],
    ["98765-4321", "BR", "area-code-missing"],
    ["91 000", "PT", "too-short"],
    ["912 345 678 912 345 678", "PT", "too-long"],
    ["+12", null, "too-short"],
  ] as const)
    assert.equal(read(typed, country), fault, typed);
});

test("a number that was read is the same when it is read again", () => {
  for (const number of ["+351912345678", "+550000000000000", "+4402079460958", "+9991234567"]) {
    const once = read(number, "BR");
    assert.equal(read(once, "DE"), once);
    assert.equal(read(displayOf(once), "DE"), once);
  }
});

test("letters and words are no telephone numbers", () => {
  for (const text of ["", " ", "+", "()", "call me", "1-800-FLOWERS", "12 ext. 4", "a".repeat(40)])
    assert.ok(!isTypedPhone(text), text);
});

test("a search finds numbers however they are typed", () => {
  for (const [typed, country, digits] of [
    ["912 34", "PT", "91234"],
    ["912 345 678", "PT", "912345678"],
    ["+351 912", "PT", "351912"],
    ["00351 912", "PT", "351912"],
    ["07700 9", "GB", "77009"],
    ["+44 (0)7700 9", "GB", "4477009"],
    ["8 912 345-67-89", "RU", "9123456789"],
    ["0049", null, "0049"],
  ] as const)
    assert.equal(searchedDigits(typed, country), digits, typed);
});

test("numbers are grouped as their country does, and others stay as they are", () => {
  assert.equal(displayOf("+351912345678"), "+351 912 345 678");
  assert.equal(displayOf("+5511987654321"), "+55 11 98765 4321");
  assert.equal(displayOf("+999123456"), "+999123456");
});
