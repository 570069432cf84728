import assert from "node:assert/strict";
import { test } from "node:test";
import { writeLink } from "./reach-links.ts";

const message = {
  subject: "Report & more",
  text: "Olá, #1 = 50 %\nhttps://vestry.example/cells/1",
};
const encoded = "Ol%C3%A1%2C%20%231%20%3D%2050%20%25%0Ahttps%3A%2F%2Fvestry.example%2Fcells%2F1";
const chat = { number: "+351912345678", "is-whatsapp": true };
const plain = { number: "+351210000000", "is-primary": true };

test("a message goes by WhatsApp, else as a text message, else by e-mail", () => {
  const links = [
    { phones: [plain, chat], email: "ana@mail.example" },
    { phones: [plain], email: "ana@mail.example" },
    { phones: [], email: "ana@mail.example" },
  ].map((person) => writeLink(person, message)?.href);
  assert.deepEqual(links, [
    `https://wa.me/351912345678?text=${encoded}`,
    `sms:+351210000000?&body=${encoded}`,
    `mailto:ana@mail.example?subject=Report%20%26%20more&body=${encoded}`,
  ]);
  assert.equal(new URL(links[0] ?? "").searchParams.get("text"), message.text);
});

test("without a message the program opens empty, and without an address there is no link", () => {
  assert.equal(writeLink({ phones: [chat] })?.href, "https://wa.me/351912345678");
  assert.equal(writeLink({ phones: [plain] })?.href, "sms:+351210000000");
  assert.equal(writeLink({ email: "ana@mail.example" })?.href, "mailto:ana@mail.example");
  assert.equal(writeLink({ phones: null, email: null }), undefined);
});
