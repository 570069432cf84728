import { randomInt } from "node:crypto";

/** Without characters that look alike or have a meaning in a shell. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** 79 random bits in four groups that are easy to type: `k7mq-x2va-9hdt-wpn4`. */
export function generatedPassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
