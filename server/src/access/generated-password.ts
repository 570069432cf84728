import { randomInt } from "node:crypto";

/** Without the letters and digits that people take for each other, and without any that a shell would. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** 79 random bits in four groups, to be read from a screen and typed: `k7mq-x2va-9hdt-wpn4`. */
export function generatedPassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
